package io.ballast.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.cluster.fact.Fact;
import io.ballast.cluster.fact.FactBound;
import io.ballast.cluster.fact.FactFamilies;
import io.ballast.cluster.fact.PendingChange;
import io.ballast.cluster.fact.SharedFacts;
import io.ballast.cluster.log.FactLogConfig;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.testing.ManualScheduler;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class SyncedFamilyTest {

    private final ManualScheduler scheduler = new ManualScheduler();
    private final Recorder family = new Recorder(scheduler.controlPlane());

    @TempDir
    private Path directory;

    private @Nullable SharedFacts facts;

    /** Connects the family to facts that are never started, so all changes stay pending. */
    @BeforeEach
    void connect() {
        FactFamilies families = new FactFamilies(List.of(family));
        facts = new SharedFacts(new FactLogConfig("n1", List.of("n1"), directory), Clock.systemUTC(), families);
        families.connect(facts);
    }

    @AfterEach
    void close() {
        if (facts != null) {
            facts.close();
        }
    }

    private void awaitPending(String... changes) {
        List<String> pending;
        do {
            pending = facts == null
                    ? List.of()
                    : facts.pending().stream()
                            .map(change -> change.key() + "=" + change.value().orElse("") + " base " + change.base())
                            .toList();
        } while (!pending.equals(List.of(changes)));
    }

    private void commit(String key, @Nullable String value, long version) {
        family.committed(key, Optional.ofNullable(value).map(text -> new Fact(key, text, version)));
        scheduler.runDue();
    }

    private void ready(boolean isNew) {
        family.ready(isNew);
        scheduler.runDue();
    }

    @Test
    void theValuesOfANewNodeArePublished() {
        ready(/* isNew= */ true);
        assertThat(family.events).containsExactly("publish");
    }

    @Test
    void factsAreAdoptedTogetherWhenAllAreKnownAndThenOneByOne() {
        commit("test/a", "1", 5);
        commit("test/b", "2", 6);
        assertThat(family.events).isEmpty();
        ready(/* isNew= */ false);
        commit("test/a", "3", 7);
        commit("test/b", null, 0);
        commit("test/c", null, 0);
        assertThat(family.events).containsExactly("all {test/a=1, test/b=2}", "1 to 3", "2 to null");
    }

    @Test
    void aChangeIsBasedOnTheKnownVersion() {
        ready(/* isNew= */ false);
        commit("test/a", "1", 5);
        family.changeWhenReady("test/a", "1");
        family.changeWhenReady("test/a", "2");
        family.changeWhenReady("test/b", null);
        awaitPending("test/a=2 base 5");
    }

    @Test
    void aChangeBeforeTheFactsAreKnownIsKept() {
        family.changeWhenReady("test/a", "2");
        commit("test/a", "1", 5);
        ready(/* isNew= */ false);
        awaitPending("test/a=2 base 5");
        assertThat(family.events).containsExactly("all {test/a=2}");
    }

    @Test
    void pendingChangesOfTheLastProcessAreAdopted() {
        commit("test/a", "1", 5);
        family.restored(new PendingChange("test/a", Optional.of("2"), 5, Instant.EPOCH));
        ready(/* isNew= */ false);
        assertThat(family.events).containsExactly("all {test/a=2}");
    }

    @Test
    void factsInAnUnknownFormAreNeitherAdoptedNorForgotten() {
        ready(/* isNew= */ false);
        commit("test/a", "unreadable", 5);
        assertThat(family.events).containsExactly("all {}");
        family.changeWhenReady("test/a", "1");
        awaitPending("test/a=1 base 5");
    }

    private static final class Recorder extends SyncedFamily<String> {

        private final List<String> events = new ArrayList<>();

        Recorder(ControlPlane control) {
            super("test/", new FactBound(10, 1000), control);
        }

        @Override
        Optional<String> decode(String key, String text) {
            return text.equals("unreadable") ? Optional.empty() : Optional.of(text);
        }

        @Override
        String encode(String value) {
            return value;
        }

        @Override
        String subject(String key) {
            return key;
        }

        @Override
        Origin origin() {
            return Origin.CLUSTER;
        }

        @Override
        void publish() {
            events.add("publish");
        }

        @Override
        void adoptAll() {
            events.add("all " + values());
        }

        @Override
        void adopt(@Nullable String before, @Nullable String after) {
            events.add(before + " to " + after);
        }
    }
}
