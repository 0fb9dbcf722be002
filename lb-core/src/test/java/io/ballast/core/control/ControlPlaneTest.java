package io.ballast.core.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.testing.ManualScheduler;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ControlPlaneTest {

    private static final Duration MIN = Duration.ofMillis(900);
    private static final Duration MAX = Duration.ofMillis(1100);

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ControlPlane control = scheduler.controlPlane();
    private final List<String> ran = new ArrayList<>();

    @Test
    void callReturnsTheResultOfTheTask() {
        CompletableFuture<String> result = control.call(() -> CompletableFuture.completedFuture("done"));
        assertThat(result).isNotDone();

        scheduler.runDue();

        assertThat(result).isCompletedWithValue("done");
    }

    @Test
    void callFailsIfTheTaskThrows() {
        CompletableFuture<String> result = control.call(() -> {
            throw new IllegalStateException("broken");
        });

        scheduler.runDue();

        assertThat(result).isCompletedExceptionally();
        assertThat(result.handle((value, failure) -> failure.getMessage())).isCompletedWithValue("broken");
    }

    @Test
    void callFailsIfTheTasksFutureFails() {
        CompletableFuture<String> result =
                control.call(() -> CompletableFuture.failedFuture(new IllegalStateException("broken")));

        scheduler.runDue();

        assertThat(result).isCompletedExceptionally();
    }

    @Test
    void callFailsWhenControlPlaneCloses() {
        CompletableFuture<String> notRun = control.call(() -> CompletableFuture.completedFuture("late"));
        CompletableFuture<String> notDone = control.call(CompletableFuture::new);
        scheduler.runDue();
        CompletableFuture<String> queued = control.call(() -> CompletableFuture.completedFuture("late"));

        control.close();
        CompletableFuture<String> afterwards = control.call(() -> CompletableFuture.completedFuture("late"));

        assertThat(notRun).isCompletedWithValue("late");
        for (CompletableFuture<String> each : List.of(notDone, queued, afterwards)) {
            assertThat(each).isCompletedExceptionally();
            assertThat(each.handle((value, failure) -> failure.getClass()))
                    .isCompletedWithValueMatching(UnavailableException.class::equals);
        }
    }

    @Test
    void tasksRunInOrder() {
        control.execute(() -> ran.add("first"));
        control.execute(() -> ran.add("second"));
        assertThat(ran).isEmpty();

        scheduler.runDue();

        assertThat(ran).containsExactly("first", "second");
    }

    @Test
    void delayedTasksRunWhenDue() {
        control.schedule(() -> ran.add("later"), Duration.ofSeconds(2));
        control.schedule(() -> ran.add("sooner"), Duration.ofSeconds(1));

        scheduler.advance(Duration.ofMillis(1999));
        assertThat(ran).containsExactly("sooner");

        scheduler.advance(Duration.ofMillis(1));
        assertThat(ran).containsExactly("sooner", "later");
    }

    @Test
    void tasksDueAtSimilarTimesRunTogether() {
        scheduler.advance(Duration.ofMillis(7));
        ScheduledTask first = control.scheduleBatched(() -> {}, MIN, Duration.ofSeconds(1), MAX);
        ScheduledTask second = control.scheduleBatched(() -> {}, MIN, Duration.ofMillis(1012), MAX);
        ScheduledTask third = control.scheduleBatched(() -> {}, MIN, Duration.ofMillis(1013), MAX);

        assertThat(first.remaining()).isEqualTo(Duration.ofMillis(993)).isEqualTo(second.remaining());
        assertThat(third.remaining()).isEqualTo(Duration.ofMillis(1013));
    }

    @Test
    void batchedTasksShareTimerAndKeepOrder() {
        List<ScheduledTask> tasks = new ArrayList<>();
        for (String name : List.of("first", "second", "third")) {
            tasks.add(amongOthers(() -> ran.add(name)));
        }
        amongOthers(() -> {
            throw new IllegalStateException("expected in this test");
        });
        amongOthers(() -> ran.add("last"));
        tasks.get(1).cancel();
        assertThat(scheduler.waiting()).hasSize(1);

        scheduler.advance(Duration.ofSeconds(1));

        assertThat(ran).containsExactly("first", "third", "last");
    }

    @Test
    void taskCanCancelTaskOfSameBatch() {
        List<ScheduledTask> tasks = new ArrayList<>();
        amongOthers(() -> tasks.get(0).cancel());
        tasks.add(amongOthers(() -> ran.add("taken back")));

        scheduler.advance(Duration.ofSeconds(1));

        assertThat(ran).isEmpty();
    }

    @Test
    void timerIsCancelledWithLastTask() {
        ScheduledTask first = amongOthers(() -> ran.add("first"));
        ScheduledTask second = amongOthers(() -> ran.add("second"));
        first.cancel();
        first.cancel();
        assertThat(scheduler.waiting()).hasSize(1);

        second.cancel();
        assertThat(scheduler.waiting()).isEmpty();

        amongOthers(() -> ran.add("later"));
        scheduler.advance(Duration.ofSeconds(1));
        assertThat(ran).containsExactly("later");
    }

    @Test
    void clockChangeDoesNotMergeTasks() {
        AtomicReference<Instant> time = new AtomicReference<>(Instant.EPOCH);
        ControlPlane set = new ControlPlane(scheduler, ((InstantSource) time::get).withZone(ZoneOffset.UTC));
        set.scheduleBatched(() -> ran.add("first"), MIN, Duration.ofSeconds(1), MAX);

        time.set(Instant.EPOCH.minusMillis(100));
        ScheduledTask later = set.scheduleBatched(() -> ran.add("second"), MIN, Duration.ofMillis(1100), MAX);

        assertThat(later.remaining()).isEqualTo(Duration.ofMillis(1100));
        scheduler.advance(Duration.ofSeconds(1));
        assertThat(ran).containsExactly("first");
        scheduler.advance(Duration.ofMillis(100));
        assertThat(ran).containsExactly("first", "second");
    }

    private ScheduledTask amongOthers(Runnable task) {
        return control.scheduleBatched(task, MIN, Duration.ofSeconds(1), MAX);
    }

    @Test
    void submittedTaskJoinsPendingBatch() {
        control.executeBatched(() -> ran.add("first"));
        control.executeBatched(() -> {
            throw new IllegalStateException("expected in this test");
        });
        scheduler.advance(Duration.ofMillis(9));
        control.executeBatched(() -> ran.add("second"));
        assertThat(ran).isEmpty();
        assertThat(scheduler.waiting()).hasSize(1);

        scheduler.advance(Duration.ofMillis(1));
        assertThat(ran).containsExactly("first", "second");

        control.executeBatched(() -> ran.add("third"));
        scheduler.advance(Duration.ofMillis(10));
        assertThat(ran).containsExactly("first", "second", "third");
    }

    @Test
    void laterTaskDoesNotOvertakeEarlierTask() {
        control.executeBatched(() -> ran.add("first"));
        control.execute(() -> ran.add("second"));

        scheduler.runDue();

        assertThat(ran).containsExactly("first", "second");
    }

    @Test
    void batchedTaskStaysWithinItsWindow() {
        Random random = new Random(1);
        for (int i = 0; i < 1_000; i++) {
            Duration min = Duration.ofNanos(random.nextLong(2_000_000_000L));
            Duration max = min.plusNanos(random.nextLong(200_000_000L));
            Duration drawn = min.plusNanos((long) (max.minus(min).toNanos() * random.nextDouble()));

            Duration due = control.scheduleBatched(() -> {}, min, drawn, max).remaining();

            assertThat(due).isBetween(min, max);
            assertThat(due.minus(drawn).abs()).isLessThanOrEqualTo(Duration.ofMillis(20));
            scheduler.advance(Duration.ofNanos(random.nextLong(1_000_000)));
        }
    }

    @Test
    void throwingTaskDoesNotStopOthers() throws Exception {
        try (ControlPlane own = ControlPlane.start(Clock.systemUTC())) {
            CompletableFuture<String> thread = new CompletableFuture<>();

            own.execute(() -> {
                throw new IllegalStateException("expected in this test");
            });
            own.schedule(
                    () -> {
                        throw new AssertionError("expected in this test");
                    },
                    Duration.ZERO);
            own.schedule(() -> thread.complete(Thread.currentThread().getName()), Duration.ofMillis(1));

            assertThat(thread.get(10, TimeUnit.SECONDS)).isEqualTo("control");
        }
    }

    @Test
    void allTasksRunOnOneDaemonThread() throws Exception {
        try (ControlPlane own = ControlPlane.start(Clock.systemUTC())) {
            CompletableFuture<Thread> executed = new CompletableFuture<>();
            CompletableFuture<Thread> scheduled = new CompletableFuture<>();

            own.execute(() -> executed.complete(Thread.currentThread()));
            own.schedule(() -> scheduled.complete(Thread.currentThread()), Duration.ZERO);

            Thread thread = executed.get(10, TimeUnit.SECONDS);
            assertThat(scheduled.get(10, TimeUnit.SECONDS)).isSameAs(thread);
            assertThat(thread.isDaemon()).isTrue();
        }
    }

    @Test
    void tasksAreDroppedAfterClose() {
        ControlPlane own = ControlPlane.start(Clock.systemUTC());
        own.close();

        own.execute(() -> ran.add("too late"));
        own.schedule(() -> ran.add("too late"), Duration.ZERO);

        assertThat(ran).isEmpty();
    }

    @Test
    void timelineUsesItsClock() {
        scheduler.advance(Duration.ofHours(1));

        control.timeline().add(Origin.START, "ballast", "started");

        assertThat(control.timeline().recent())
                .extracting(Event::time)
                .containsExactly(control.clock().instant());
    }
}
