package io.ballast.core.balance;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.StrategyConfig;
import io.ballast.core.config.StrategyKind;
import io.ballast.core.testing.Backends;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FailoverTest extends StrategyContractTest {

    FailoverTest() {
        super(StrategyKind.FAILOVER);
    }

    @Test
    void usesLowestTierOnly() {
        List<Member> members = Backends.tiered(7, 3, 10, 3);

        assertThat(sequence(strategy().compile(members), 4))
                .containsExactly(at(members, 1), at(members, 3), at(members, 1), at(members, 3));
    }

    @Test
    void nextTierServesWhenTierIsEmpty() {
        List<Member> members = Backends.tiered(7, 10, 10);

        assertThat(sequence(strategy().compile(members.subList(1, 3)), 2))
                .containsExactly(at(members, 1), at(members, 2));
    }

    @Test
    void nextTierServesOverflowOfFullTier() {
        List<Member> members = List.of(
                new Member(Backends.backend(0, 1), 1, 1),
                new Member(Backends.backend(1, 1), 1, 0),
                new Member(Backends.backend(2), 1, 2));
        Picker picker = strategy().compile(members);

        Backends.load(at(members, 1), 1);
        assertThat(picker.pick(request())).isSameAs(at(members, 0));
        Backends.load(at(members, 0), 1);
        assertThat(picker.pick(request())).isSameAs(at(members, 2));
        at(members, 1).inFlight().end();
        assertThat(picker.pick(request())).isSameAs(at(members, 1));
    }

    @Test
    void requestRefusedByTierGoesToNextTier() {
        List<Member> members = Backends.tiered(0, 1, 0);

        assertThat(strategy()
                        .compile(members)
                        .pick(request().exclude(at(members, 0)).exclude(at(members, 2))))
                .isSameAs(at(members, 1));
    }

    @Test
    void configuredStrategyAppliesInsideTier() {
        Strategy strategy = Strategies.create(
                new StrategyConfig(StrategyKind.FAILOVER, Optional.of(StrategyKind.WEIGHTED_ROUND_ROBIN)));
        List<Member> members = Stream.concat(
                        Backends.weighted(3, 1).stream(), Stream.of(new Member(Backends.backend(9), 100, 1)))
                .toList();

        assertThat(counts(strategy.compile(members), members, 400)).containsExactly(300, 100, 0);
    }

    @Test
    void returningTierContinuesItsCycle() {
        Strategy strategy = strategy();
        List<Member> members = Backends.tiered(0, 0, 0, 1, 1);
        sequence(strategy.compile(members), 1);
        List<Member> backup = members.subList(3, 5);

        assertThat(sequence(strategy.compile(backup), 1)).containsExactly(at(members, 3));
        assertThat(sequence(strategy.compile(members), 1)).containsExactly(at(members, 1));
        assertThat(sequence(strategy.compile(backup), 1)).containsExactly(at(members, 4));
    }

    private static Backend at(List<Member> members, int index) {
        return members.get(index).backend();
    }
}
