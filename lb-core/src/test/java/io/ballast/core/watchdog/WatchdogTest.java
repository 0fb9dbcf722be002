package io.ballast.core.watchdog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WatchdogTest {

    private static final int TIMEOUT_TURNS = 10;

    private final List<ThreadFailure> deaths = new ArrayList<>();
    private final List<String> closed = new ArrayList<>();
    private final List<String> starved = new ArrayList<>();
    private final FakeScheduler scheduler = new FakeScheduler();
    private long nanos;
    private final Watchdog watchdog = new Watchdog(deaths::add, starved::add, scheduler, () -> nanos);
    private final Heartbeat worker = heart("worker-0");
    private final Heartbeat other = heart("worker-1");

    WatchdogTest() {
        watchdog.watch(List.of(worker, other));
        worker.onThreadFailure(() -> closed.add("socket of worker-0"));
        other.onThreadFailure(() -> closed.add("socket of worker-1"));
    }

    private static Heartbeat heart(String name) {
        return new Heartbeat(name, Duration.ofSeconds(TIMEOUT_TURNS * (long) Watchdog.TURN_SECONDS));
    }

    @Test
    void beatingThreadsAreAlive() {
        for (int i = 0; i < 10 * TIMEOUT_TURNS; i++) {
            beatBoth();
            turn();
        }

        assertThat(deaths).isEmpty();
        assertThat(closed).isEmpty();
    }

    @Test
    void threadEndedByErrorIsReportedImmediately() {
        Error cause = new OutOfMemoryError("no direct memory");
        beatBoth();

        worker.markEnded(cause);
        turn();

        assertThat(deaths).containsExactly(new ThreadFailure("worker-0", "ended by " + cause, cause));
        assertThat(closed).containsExactly("socket of worker-0");
    }

    @Test
    void hangingThreadIsReportedWithStackAfterTimeout() {
        beatBoth();
        turn();

        for (int i = 0; i < TIMEOUT_TURNS - 1; i++) {
            other.beat();
            turn();
        }
        assertThat(deaths).isEmpty();
        other.beat();
        turn();

        assertThat(deaths).singleElement().satisfies(failure -> {
            assertThat(failure.text())
                    .isEqualTo("thread worker-0 made no progress for 10 s, in which it used 0.0 s of CPU time");
            assertThat(failure.cause())
                    .hasMessageContaining(Thread.currentThread().getName());
        });
    }

    @Test
    void firstFailureIsReportedAndAllFailedThreadsCloseSockets() {
        worker.markEnded(null);
        turn();
        other.markEnded(null);
        turn();
        turn();

        assertThat(deaths).containsExactly(new ThreadFailure("worker-0", "ended", null));
        assertThat(closed).containsExactly("socket of worker-0", "socket of worker-1");
    }

    @Test
    void threeSecondsOfSilenceCountAsOneStall() {
        for (int time = 1; time <= 2; time++) {
            beatBoth();
            turn();
            for (int i = 0; i < Watchdog.STALL_TURNS - 1; i++) {
                other.beat();
                turn();
            }
            assertThat(watchdog.stalls()).isEqualTo(time - 1);
            for (int i = 0; i < 3; i++) {
                other.beat();
                turn();
            }
            assertThat(watchdog.stalls()).isEqualTo(time);
        }

        assertThat(deaths).isEmpty();
    }

    @Test
    void threadWaitingForDiskIsNoStall() {
        worker.beginWait("the disk");
        for (int i = 0; i < 2 * Watchdog.STALL_TURNS; i++) {
            other.beat();
            turn();
        }

        assertThat(watchdog.stalls()).isZero();
    }

    /** Simulates a suspended machine or a stepped clock: all threads pause, including the watchdog. */
    @Test
    void suspendedMachineReportsNoFailure() {
        beatBoth();
        turn();
        for (int i = 0; i < TIMEOUT_TURNS - 2; i++) {
            turn();
        }

        // The watchdog counts the whole suspension as one turn. Here the watchdog wakes before all other threads.
        turn();
        beatBoth();
        turn();

        assertThat(deaths).isEmpty();
    }

    @Test
    void stoppedThreadIsNoFailure() {
        worker.stop();
        worker.markEnded(null);
        for (int i = 0; i < 2 * TIMEOUT_TURNS; i++) {
            other.beat();
            turn();
        }

        assertThat(deaths).isEmpty();
    }

    @Test
    void threadWaitingForDiskIsAlive() {
        worker.beginWait("the disk");
        for (int i = 0; i < 5 * TIMEOUT_TURNS; i++) {
            other.beat();
            turn();
        }
        assertThat(deaths).isEmpty();

        worker.endWait();
        other.beat();
        turn();

        assertThat(deaths).hasSize(1);
    }

    @Test
    void watchdogSurvivesErrorsOfClosingSockets() {
        worker.onThreadFailure(() -> {
            throw new IllegalStateException("closed already");
        });
        worker.markEnded(null);
        turn();

        assertThat(deaths).hasSize(1);
    }

    @Test
    void starvedThreadIsAlive() {
        beatBoth();
        turn();

        scheduler.starves();
        for (int i = 0; i < 100 * TIMEOUT_TURNS; i++) {
            other.beat();
            turn();
        }

        assertThat(deaths).isEmpty();
        assertThat(watchdog.starvations()).isEqualTo(1);
        assertThat(watchdog.stalls()).isZero();
    }

    @Test
    void cpuShortageIsReportedOncePerMinute() {
        beatBoth();
        turn();

        scheduler.starves();
        for (int i = 0; i < 2 * Watchdog.REPORT_TURNS + Watchdog.STALL_TURNS - 1; i++) {
            other.beat();
            turn();
        }

        assertThat(starved).hasSize(2).allSatisfy(text -> assertThat(text).contains("too little CPU", "worker-0"));
    }

    @Test
    void threadBusyForWholeTimeoutIsReported() {
        beatBoth();
        turn();

        scheduler.runs(1.0);
        for (int i = 0; i < TIMEOUT_TURNS; i++) {
            other.beat();
            turn();
        }
        assertThat(deaths).isEmpty();
        other.beat();
        turn();

        assertThat(deaths)
                .singleElement()
                .satisfies(failure -> assertThat(failure.text())
                        .isEqualTo("thread worker-0 made no progress for 11 s, in which it used 10.0 s of CPU time"));
    }

    @Test
    void timeoutScalesWithAvailableCpu() {
        beatBoth();
        turn();

        scheduler.runs(0.1);
        for (int i = 0; i < 10 * TIMEOUT_TURNS; i++) {
            other.beat();
            turn();
        }
        assertThat(deaths).isEmpty();
        assertThat(watchdog.starvations()).isEqualTo(1);
        other.beat();
        turn();

        assertThat(deaths).hasSize(1);
    }

    @Test
    void cpuShortageExtendsTimeoutOfBlockedThread() {
        beatBoth();
        turn();

        scheduler.blocks();
        scheduler.processGets(0.25);
        for (int i = 0; i < 3 * TIMEOUT_TURNS; i++) {
            other.beat();
            turn();
        }
        assertThat(deaths).isEmpty();
        for (int i = 0; i < TIMEOUT_TURNS; i++) {
            other.beat();
            turn();
        }

        assertThat(deaths).hasSize(1);
    }

    @Test
    void blockedThreadIsReportedDespiteCpuShortage() {
        beatBoth();
        turn();

        scheduler.blocks();
        scheduler.processGets(0.0);
        for (int i = 0; i < 10 * TIMEOUT_TURNS + 1; i++) {
            other.beat();
            turn();
        }

        assertThat(deaths).hasSize(1);
    }

    @Test
    void idleProcessHasNoCpuShortage() {
        beatBoth();
        turn();

        scheduler.blocks();
        scheduler.processAsks(0.01, 0.5);
        for (int i = 0; i < TIMEOUT_TURNS; i++) {
            other.beat();
            turn();
        }

        assertThat(deaths).hasSize(1);
    }

    @Test
    void longTurnCountsAsOneSecond() {
        beatBoth();
        turn();

        scheduler.blocks();
        for (int i = 0; i < TIMEOUT_TURNS - 1; i++) {
            nanos += TimeUnit.HOURS.toNanos(1);
            other.beat();
            turn();
        }
        assertThat(deaths).isEmpty();
        other.beat();
        turn();

        assertThat(deaths).hasSize(1);
    }

    private void turn() {
        nanos += TimeUnit.SECONDS.toNanos(Watchdog.TURN_SECONDS);
        scheduler.turn();
        watchdog.turn();
    }

    /** A scheduler in which all threads have the same times; initially, they count as blocked. */
    private static final class FakeScheduler implements Scheduler {

        private long ran;
        private long waited;
        private boolean runnable;
        private double share;
        private long processRan;
        private long processWaited;
        private double queries;
        private double got;

        void blocks() {
            runnable = false;
            share = 0;
        }

        void starves() {
            runs(0);
        }

        void runs(double shareOfCpu) {
            runnable = true;
            share = shareOfCpu;
        }

        /** Simulates a process that requests two CPUs and gets this share of them. */
        void processGets(double part) {
            processAsks(2, part);
        }

        void processAsks(double cpus, double part) {
            queries = cpus;
            got = part;
        }

        void turn() {
            double nanos = TimeUnit.SECONDS.toNanos(1);
            ran += (long) (share * nanos);
            waited += runnable && share > 0 ? (long) ((1 - share) * nanos) : 0;
            processRan += (long) (queries * got * nanos);
            processWaited += (long) (queries * (1 - got) * nanos);
        }

        @Override
        public SchedulerTimes ofThread(long nativeId) {
            return new SchedulerTimes(ran, waited, runnable);
        }

        @Override
        public SchedulerTimes ofProcess() {
            return new SchedulerTimes(processRan, processWaited, /* isRunnable= */ true);
        }
    }

    private void beatBoth() {
        worker.beat();
        other.beat();
    }
}
