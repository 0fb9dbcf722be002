package io.ballast.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.cluster.fact.Fact;
import io.ballast.core.testing.ManualScheduler;
import java.nio.file.Path;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class FlushFactsTest {

    private final ManualScheduler scheduler = new ManualScheduler();
    private final List<String> executed = new CopyOnWriteArrayList<>();

    @TempDir
    private Path directory;

    private FlushFacts facts() {
        return new FlushFacts(
                scheduler.controlPlane(),
                flush -> {
                    String name = flush.parameter("name").orElse("all");
                    executed.add(name);
                    if (name.equals("missing.")) {
                        throw new NoSuchElementException("no cache");
                    }
                    return 1;
                },
                directory.resolve("cluster/flushes.state"));
    }

    private static void commit(FlushFacts facts, String id, String name) {
        String key = FlushFacts.PREFIX + id;
        CacheFlush flush = CacheFlush.ofDns(Optional.of(name), /* below= */ false, Optional.empty());
        facts.committed(key, Optional.of(new Fact(key, flush.encode(), 1)));
    }

    private void await(String... names) throws InterruptedException {
        while (!executed.equals(List.of(names))) {
            Thread.onSpinWait();
        }
    }

    @Test
    void flushesAreExecutedInTheirOrderWhenTheCachesAreOpen() throws InterruptedException {
        try (FlushFacts facts = facts()) {
            commit(facts, "1", "a.");
            commit(facts, "2", "b.");
            assertThat(executed).isEmpty();
            facts.open();
            commit(facts, "3", "missing.");
            commit(facts, "4", "c.");
            await("a.", "b.", "missing.", "c.");
        }
    }

    @Test
    void eachFlushIsExecutedOnceAlsoAfterARestart() throws InterruptedException {
        try (FlushFacts facts = facts()) {
            facts.open();
            commit(facts, "1", "a.");
            commit(facts, "1", "a.");
            await("a.");
        }
        try (FlushFacts facts = facts()) {
            facts.open();
            commit(facts, "1", "a.");
            commit(facts, "2", "b.");
            await("a.", "b.");
        }
    }

    @Test
    void theOwnFlushIsNotExecutedAgain() throws InterruptedException {
        try (FlushFacts facts = facts()) {
            facts.open();
            String key = facts.newKey();
            facts.add(key, CacheFlush.ofDns(Optional.of("own."), /* below= */ false, Optional.empty()));
            commit(facts, key.substring(FlushFacts.PREFIX.length()), "own.");
            commit(facts, "2", "b.");
            await("b.");
        }
    }

    @Test
    void keysDiffer() {
        try (FlushFacts facts = facts()) {
            assertThat(facts.newKey()).startsWith(FlushFacts.PREFIX).isNotEqualTo(facts.newKey());
        }
    }
}
