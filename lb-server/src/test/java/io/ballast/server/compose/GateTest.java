package io.ballast.server.compose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.control.UnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class GateTest {

    private final Gate gate = new Gate();
    private final List<String> carriedOut = new ArrayList<>();

    @Test
    void openGatePassesChanges() {
        assertThat(change("drain")).isCompletedWithValue("drain");
        assertThat(gate.close()).isCompleted();
    }

    /**
     * The gate closes only after running changes are complete. Otherwise, the other process could read the file before
     * a change is written.
     */
    @Test
    void closesAfterRunningChanges() {
        CompletableFuture<String> first = new CompletableFuture<>();
        CompletableFuture<String> second = new CompletableFuture<>();
        CompletableFuture<String> firstResult = gate.submit(() -> first);
        CompletableFuture<String> secondResult = gate.submit(() -> second);

        CompletableFuture<Void> closed = gate.close();
        assertThat(closed).isNotDone();
        first.complete("drain");
        assertThat(closed).isNotDone();
        second.completeExceptionally(new IllegalStateException("broken"));

        assertThat(closed).isCompleted();
        assertThat(firstResult).isCompletedWithValue("drain");
        assertThat(secondResult).isCompletedExceptionally();
    }

    @Test
    void waitingChangesRunInOrderWhenOpened() {
        CompletableFuture<Void> closed = gate.close();
        CompletableFuture<String> drain = change("drain");
        CompletableFuture<String> enable = change("enable");
        assertThat(closed).isCompleted();
        assertThat(carriedOut).isEmpty();

        gate.open();

        assertThat(carriedOut).containsExactly("drain", "enable");
        assertThat(drain).isCompletedWithValue("drain");
        assertThat(enable).isCompletedWithValue("enable");
        assertThat(change("drain again")).isCompleted();
    }

    @Test
    void changesFailAfterTakeover() {
        gate.close();
        CompletableFuture<String> waiting = change("drain");

        gate.shut();

        assertFailed(waiting, "another process has taken over; repeat the change there");
        assertFailed(change("enable"), "another process has taken over; repeat the change there");
        assertThat(carriedOut).isEmpty();
    }

    @Test
    void waitingChangesAreLimited() {
        gate.close();
        for (int i = 0; i < Gate.MAX_WAITING; i++) {
            assertThat(change("drain")).isNotDone();
        }

        assertThat(change("one more")).isCompletedExceptionally();
        gate.open();
        assertThat(carriedOut).hasSize(Gate.MAX_WAITING);
    }

    @Test
    void throwingChangeDoesNotBlockClose() {
        CompletableFuture<String> thrown = gate.submit(() -> {
            throw new IllegalStateException("broken");
        });

        assertThat(thrown).isCompletedExceptionally();
        assertThat(gate.close()).isCompleted();
    }

    @Test
    void noChangeIsLostUnderConcurrency() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            for (int round = 0; round < 2_000; round++) {
                Gate raced = new Gate();
                AtomicInteger kept = new AtomicInteger();
                CountDownLatch start = new CountDownLatch(1);
                List<CompletableFuture<CompletableFuture<Integer>>> changes = new ArrayList<>();
                for (int i = 0; i < 2; i++) {
                    changes.add(CompletableFuture.supplyAsync(
                            () -> {
                                await(start);
                                return raced.submit(() -> CompletableFuture.completedFuture(kept.incrementAndGet()));
                            },
                            threads));
                }
                CompletableFuture<Integer> read = CompletableFuture.supplyAsync(
                        () -> {
                            await(start);
                            raced.close().join();
                            return kept.get();
                        },
                        threads);
                start.countDown();
                int seen = read.get(10, TimeUnit.SECONDS);
                raced.shut();

                int done = 0;
                for (CompletableFuture<CompletableFuture<Integer>> each : changes) {
                    CompletableFuture<Integer> outcome = each.get(10, TimeUnit.SECONDS);
                    done += outcome.isCompletedExceptionally() ? 0 : 1;
                }
                assertThat(seen)
                        .as("changes that the reader saw in round %d", round)
                        .isEqualTo(done);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private CompletableFuture<String> change(String name) {
        return gate.submit(() -> {
            carriedOut.add(name);
            return CompletableFuture.completedFuture(name);
        });
    }

    private static void assertFailed(CompletableFuture<String> change, String message) {
        assertThatThrownBy(change::get).hasCause(new UnavailableException(message));
    }
}
