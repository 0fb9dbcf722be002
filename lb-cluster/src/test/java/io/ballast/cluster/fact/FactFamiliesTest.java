package io.ballast.cluster.fact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FactFamiliesTest {

    private final Recorder overrides = new Recorder("override/");
    private final Recorder secrets = new Recorder("secret/");
    private final FactFamilies families = new FactFamilies(List.of(overrides, secrets));

    @Test
    void eachFactGoesToItsFamily() {
        families.committed("override/a", Optional.of(new Fact("override/a", "1", 7)));
        families.committed("secret/b", Optional.empty());
        families.restored(new PendingChange("secret/c", Optional.of("2"), Fact.ABSENT, Instant.EPOCH));
        families.rejected(new PendingChange("override/d", Optional.empty(), Fact.ABSENT, Instant.EPOCH), "why");

        assertThat(overrides.events).containsExactly("override/a=1", "rejected override/d: why");
        assertThat(secrets.events).containsExactly("secret/b=", "restored secret/c");
    }

    @Test
    void allFamiliesAreReadyAtTheSameTime() {
        families.ready(true);
        assertThat(overrides.events).containsExactly("new");
        assertThat(secrets.events).containsExactly("new");
    }

    @Test
    void unknownFactsGoNowhere() {
        families.committed("config/a", Optional.empty());
        families.committed("override", Optional.empty());
        families.committed("overrides/a", Optional.empty());
        families.rejected(new PendingChange("config/d", Optional.empty(), Fact.ABSENT, Instant.EPOCH), "why");

        assertThat(overrides.events).isEmpty();
        assertThat(secrets.events).isEmpty();
        assertThat(families.knows("override/")).isTrue();
        assertThat(families.knows("config/")).isFalse();
    }

    @Test
    void eachFamilyHasItsOwnBound() {
        assertThat(families.bound("override/a")).isEqualTo(new FactBound(2, 100));
        assertThat(families.bound("config/a")).isEqualTo(FactBound.ALL);
    }

    @Test
    void prefixesAreDistinctAndHaveASlash() {
        assertThatThrownBy(() -> new FactFamilies(List.of(overrides, new Recorder("override/"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("different prefixes");
        for (String malformed : List.of("", "/", "override", "a/b/", "Override/")) {
            assertThatThrownBy(() -> new FactFamilies(List.of(new Recorder(malformed))))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    static final class Recorder implements FactFamily {

        final List<String> events = new ArrayList<>();
        private final String prefix;

        Recorder(String prefix) {
            this.prefix = prefix;
        }

        @Override
        public String prefix() {
            return prefix;
        }

        @Override
        public FactBound bound() {
            return new FactBound(2, 100);
        }

        @Override
        public void connect(FactStore store) {}

        @Override
        public void committed(String key, Optional<Fact> fact) {
            events.add(key + "=" + fact.map(Fact::value).orElse(""));
        }

        @Override
        public void restored(PendingChange change) {
            events.add("restored " + change.key());
        }

        @Override
        public void ready(boolean isNew) {
            events.add(isNew ? "new" : "known");
        }

        @Override
        public void rejected(PendingChange change, String reason) {
            events.add("rejected " + change.key() + ": " + reason);
        }
    }
}
