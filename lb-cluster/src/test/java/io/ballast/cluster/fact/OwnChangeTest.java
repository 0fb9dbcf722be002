package io.ballast.cluster.fact;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.cluster.fact.OwnChange.Match;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class OwnChangeTest {

    private static final long BASE = 5;

    private final OwnChange change = new OwnChange("k", "mine", BASE, Instant.EPOCH);

    private static Fact fact(String value, long version) {
        return new Fact("k", value, version);
    }

    @Test
    void theCommittedValueSettlesTheChange() {
        assertThat(change.committed(fact("mine", 6))).isEqualTo(Match.SETTLED);
    }

    @Test
    void theBaseIsNoForeignChange() {
        assertThat(change.committed(fact("before", BASE))).isEqualTo(Match.BASE);
    }

    @Test
    void anotherValueIsForeign() {
        change.submit();
        assertThat(change.committed(fact("theirs", 6))).isEqualTo(Match.FOREIGN);
        assertThat(change.committed(null)).isEqualTo(Match.FOREIGN);
    }

    @Test
    void anEarlierSubmissionBecomesTheBase() {
        change.submit();
        change.value("newer");
        assertThat(change.committed(fact("mine", 6))).isEqualTo(Match.EARLIER);
        assertThat(change.committed(fact("mine", 6))).isEqualTo(Match.BASE);
        change.answered();
        assertThat(change.submit()).isEqualTo(new FactCommand("k", "newer", 6));
    }

    @Test
    void oneSubmissionIsInFlightAtATime() {
        assertThat(change.submit()).isNotNull();
        assertThat(change.submit()).isNull();
        change.answered();
        assertThat(change.submit()).isEqualTo(new FactCommand("k", "mine", BASE));
    }

    @Test
    void aRemovalIsSettledByAbsence() {
        change.value(null);
        assertThat(change.submit()).isEqualTo(new FactCommand("k", null, BASE));
        assertThat(change.committed(null)).isEqualTo(Match.SETTLED);
    }
}
