package io.ballast.policy.filter.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.policy.work.PolicyEvents;
import java.util.List;
import java.util.Queue;
import java.util.ServiceConfigurationError;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FilterCallsTest {

    private static final long TIMEOUT_SECONDS = 30;

    private final AtomicLong nanos = new AtomicLong();
    private final Queue<String> events = new ConcurrentLinkedQueue<>();
    private final PolicyEvents recording = (subject, isProblem, text) -> events.add(isProblem + " " + text);
    private final CountDownLatch release = new CountDownLatch(1);
    private final CountDownLatch running = new CountDownLatch(1);
    private final FilterCalls calls = new FilterCalls(
            "tested", /* threads= */ 1, /* queue= */ 1, getClass().getClassLoader(), recording, nanos::get);

    @AfterEach
    void stop() {
        release.countDown();
        calls.closeAfter(() -> {});
    }

    private static Callable<CompletionStage<String>> answering(String text) {
        return () -> CompletableFuture.completedFuture(text);
    }

    /** Blocks its thread and ignores interrupts until the test releases it. */
    private CompletionStage<String> block() {
        running.countDown();
        boolean released = false;
        while (!released) {
            try {
                released = release.await(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException ignored) {
                // simulates a filter that ignores interrupts
            }
        }
        return CompletableFuture.completedFuture("late");
    }

    private static CallOutcome refusal(CompletableFuture<String> call) {
        try {
            throw new AssertionError("not refused: " + call.get(TIMEOUT_SECONDS, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            return ((CallRefusedException) e.getCause()).outcome();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end).isNegative();
            Thread.onSpinWait();
        }
    }

    /** A cancellation or an unusual error must not look like a call that was cut at its deadline. */
    @Test
    void everyThrowableOfTheFilterIsItsFailure() {
        List<Callable<CompletionStage<String>>> failing = List.of(
                () -> {
                    throw new CancellationException("inner");
                },
                () -> {
                    throw new ServiceConfigurationError("broken");
                },
                () -> CompletableFuture.failedFuture(new CancellationException("inner")));
        for (Callable<CompletionStage<String>> call : failing) {
            CompletableFuture<String> result = calls.start(call);

            assertThatThrownBy(() -> result.get(TIMEOUT_SECONDS, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class);
            assertThat(result.isCancelled()).isFalse();
        }
    }

    @Test
    void resultOfTheFilterIsReturned() throws Exception {
        assertThat(calls.start(answering("a")).get(TIMEOUT_SECONDS, TimeUnit.SECONDS))
                .isEqualTo("a");
        CompletableFuture<String> failing = calls.start(() -> {
            throw new IllegalStateException("a fault");
        });

        assertThatThrownBy(failing::get).hasRootCauseMessage("a fault");
    }

    @Test
    void contextClassLoaderIsThatOfTheFilter() throws Exception {
        CompletableFuture<ClassLoader> loader = calls.start(
                () -> CompletableFuture.completedFuture(Thread.currentThread().getContextClassLoader()));

        assertThat(loader.get(TIMEOUT_SECONDS, TimeUnit.SECONDS))
                .isSameAs(getClass().getClassLoader());
    }

    @Test
    void callsAboveTheLimitAreRefused() throws Exception {
        CompletableFuture<String> first = calls.start(this::block);
        running.await();
        CompletableFuture<String> waiting = calls.start(answering("b"));

        assertThat(refusal(calls.start(answering("c")))).isEqualTo(CallOutcome.QUEUE_FULL);
        release.countDown();
        assertThat(first.get(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isEqualTo("late");
        assertThat(waiting.get(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isEqualTo("b");
    }

    @Test
    void asynchronousCallsCountUntilTheirStageCompletes() throws Exception {
        CompletableFuture<String> stage = new CompletableFuture<>();
        CompletableFuture<String> first = calls.start(() -> stage);
        CompletableFuture<String> second = calls.start(() -> stage);

        assertThat(refusal(calls.start(answering("c")))).isEqualTo(CallOutcome.QUEUE_FULL);
        stage.complete("done");
        assertThat(first.get(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isEqualTo("done");
        assertThat(second.get(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isEqualTo("done");
        assertThat(calls.start(answering("d")).get(TIMEOUT_SECONDS, TimeUnit.SECONDS))
                .isEqualTo("d");
    }

    @Test
    void stuckFilterIsRefusedUntilAThreadIsFree() throws Exception {
        CompletableFuture<String> cut = calls.start(this::block);
        running.await();
        cut.cancel(true);

        assertThat(calls.stuckThreads()).isOne();
        CompletableFuture<String> waiting = calls.start(answering("a"));
        assertThat(events).isEmpty(); // an interrupted call may need some time
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(StuckThreads.GRACE_MILLIS));

        assertThat(refusal(calls.start(answering("b")))).isEqualTo(CallOutcome.STUCK);
        assertThat(events).hasSize(1).first().asString().startsWith("true all 1 threads are held");
        release.countDown();
        assertThat(waiting.get(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isEqualTo("a");
        assertThat(calls.start(answering("c")).get(TIMEOUT_SECONDS, TimeUnit.SECONDS))
                .isEqualTo("c");
        await(() -> events.size() == 2);
        assertThat(events).last().asString().startsWith("false a thread is free again");
    }

    @Test
    void cutCallIsInterrupted() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        CompletableFuture<String> slow = calls.start(() -> {
            running.countDown();
            try {
                release.await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
            }
            return CompletableFuture.completedFuture("late");
        });
        running.await();
        slow.cancel(true);

        assertThat(interrupted.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        await(() -> calls.stuckThreads() == 0);
        assertThat(calls.start(() -> CompletableFuture.completedFuture(Thread.interrupted()))
                        .get(TIMEOUT_SECONDS, TimeUnit.SECONDS))
                .isFalse();
    }

    @Test
    void waitingCallThatIsCutIsNotStarted() throws Exception {
        CompletableFuture<String> first = calls.start(this::block);
        running.await();
        CountDownLatch started = new CountDownLatch(1);
        CompletableFuture<String> waiting = calls.start(() -> {
            started.countDown();
            return CompletableFuture.completedFuture("b");
        });
        waiting.cancel(true);
        release.countDown();
        first.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        calls.closeAfter(() -> {});

        assertThat(calls.awaitEnd(TimeUnit.SECONDS.toMillis(TIMEOUT_SECONDS))).isTrue();
        assertThat(started.getCount()).isOne();
    }
}
