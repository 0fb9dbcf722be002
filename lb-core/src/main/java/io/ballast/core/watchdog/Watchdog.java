package io.ballast.core.watchdog;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks every heartbeat once per turn of {@value #TURN_SECONDS} s. Detects threads that have ended, or that
 * did not record a heartbeat within their time limit. Each failed thread is logged once, and its dependent
 * resources are closed. The first failure is reported.
 *
 * <p>A thread fails if it is blocked or runs for its time limit without a beat. A thread that is ready to run
 * but gets no CPU does not fail: this is logged and counted. See {@link HeartbeatGap} and decision 28.
 *
 * <p>A turn counts as {@value #TURN_SECONDS} s at most. If the clock is stepped or the machine is suspended,
 * every thread has therefore missed only one turn.
 *
 * <p>Thread safety: any thread may call {@link #watch}, {@link #close} and the counters; all other methods
 * are confined to the watchdog's thread.
 */
public final class Watchdog implements AutoCloseable {

    static final int TURN_SECONDS = 1;

    private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);
    private static final Duration TURN = Duration.ofSeconds(TURN_SECONDS);
    /**
     * The number of watchdog turns without a heartbeat that count as a stall. Clients notice a pause of this
     * length.
     */
    static final int STALL_TURNS = 3;

    /**
     * The number of turns of the watchdog, of {@value #TURN_SECONDS} s each, between two reports about threads
     * that wait for external operations, or about a CPU shortage.
     */
    static final int REPORT_TURNS = 60;

    /**
     * Maximum share of the time between two watchdog runs that counts as missing CPU time. With 0.9, a blocked
     * thread is detected after ten times its time limit at the latest, even if the process is always short of
     * CPU.
     */
    private static final double MAX_MISSING_CPU = 0.9;

    /**
     * Minimum CPU demand of the process, as a share of one CPU. If the demand is lower, missing CPU time is
     * ignored.
     */
    private static final double MIN_ASKED = 0.1;

    private final Consumer<ThreadFailure> onFirstFailure;
    private final Consumer<String> onStarvation;
    private final Scheduler scheduler;
    private final LongSupplier nanoTime;
    private final List<Watched> all = new CopyOnWriteArrayList<>();
    private boolean failureReported;
    private volatile boolean closed;
    /** Written by the watchdog's thread only. */
    private final AtomicLong stalls = new AtomicLong();

    private final AtomicLong starvations = new AtomicLong();
    private long turnStart;
    private @Nullable SchedulerTimes processBefore;
    private int turnsSinceReport = REPORT_TURNS;
    private long starvationsReported;

    /** A watched thread, and its state at the last check. */
    private static final class Watched {
        final Heartbeat heartbeat;
        final HeartbeatGap gap = new HeartbeatGap();
        long lastBeats;

        Watched(Heartbeat heartbeat) {
            this.heartbeat = heartbeat;
        }
    }

    /** @param onFirstFailure called at most once, by the watchdog's thread; may end the process */
    public Watchdog(Consumer<ThreadFailure> onFirstFailure) {
        this(onFirstFailure, text -> {});
    }

    /**
     * @param onFirstFailure called at most once, by the watchdog's thread; may end the process
     * @param starved called with a message for operators, at most once per minute, when threads get too little
     *     CPU
     */
    public Watchdog(Consumer<ThreadFailure> onFirstFailure, Consumer<String> starved) {
        this(onFirstFailure, starved, new LinuxScheduler(), System::nanoTime);
    }

    Watchdog(
            Consumer<ThreadFailure> onFirstFailure,
            Consumer<String> starved,
            Scheduler scheduler,
            LongSupplier nanoTime) {
        this.onFirstFailure = onFirstFailure;
        this.onStarvation = starved;
        this.scheduler = scheduler;
        this.nanoTime = nanoTime;
        this.turnStart = nanoTime.getAsLong();
    }

    /** Starts watching, on a separate thread. */
    public void start() {
        Thread looking = new Thread(this::watchUntilClosed, "watchdog");
        looking.setDaemon(true);
        looking.start();
    }

    /** Adds threads to watch; a thread is watched until it is stopped. */
    public void watch(Collection<Heartbeat> heartbeats) {
        heartbeats.forEach(heartbeat -> all.add(new Watched(heartbeat)));
    }

    /**
     * Number of times that a thread sent no heartbeat for {@value #STALL_TURNS} s or longer, whether or not it
     * recovered. Threads that wait for external operations, and threads that {@linkplain #starvations got too
     * little CPU}, are not counted.
     */
    public long stalls() {
        return stalls.get();
    }

    /**
     * Number of times that a thread sent no heartbeat for {@value #STALL_TURNS} s or longer because it got too
     * little CPU time.
     */
    public long starvations() {
        return starvations.get();
    }

    /** Stops the watchdog. */
    @Override
    public void close() {
        closed = true;
    }

    private void watchUntilClosed() {
        while (!closed) {
            awaitTurn();
            try {
                turn();
            } catch (RuntimeException | Error e) {
                // The process is probably out of memory. The watchdog checks the threads again on its next run.
                LOG.error("msg=\"the watchdog could not check threads\"", e);
            }
        }
    }

    /**
     * Waits until the next run of the watchdog. Never returns early, because the threads would not have enough
     * time to update their heartbeats.
     */
    private static void awaitTurn() {
        long end = System.nanoTime() + TURN.toNanos();
        for (long left = TURN.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.interrupted()) {
                LOG.debug("the watchdog was interrupted");
            }
        }
    }

    /** Checks each thread once. */
    void turn() {
        long now = nanoTime.getAsLong();
        long turnNanos = Math.max(1, now - turnStart);
        turnStart = now;
        turnsSinceReport++;
        all.removeIf(watched -> watched.heartbeat.isStopped());
        boolean anySilent = false;
        double missing = missingCpu(turnNanos);
        for (Watched watched : all) {
            Heartbeat.End end = watched.heartbeat.end();
            if (end != null) {
                String reason = end.cause() == null ? "ended" : "ended by " + end.cause();
                threadFailed(watched, new ThreadFailure(watched.heartbeat.name(), reason, end.cause()));
            } else {
                anySilent |= checkHeartbeat(watched, turnNanos, missing);
            }
        }
        if (!anySilent) {
            processBefore = null;
        } else if (processBefore == null) {
            processBefore = scheduler.ofProcess();
        }
    }

    /**
     * Returns the fraction of the CPU time that the process needed since the last run of the watchdog but did not
     * get. If all threads sent a heartbeat before the last run, the statistics are not read and the result is 0.
     */
    private double missingCpu(long turnNanos) {
        SchedulerTimes before = processBefore;
        if (before == null) {
            return 0;
        }
        SchedulerTimes now = scheduler.ofProcess();
        processBefore = now;
        // The sums may decrease, because they exclude threads that have ended.
        double ran = Math.max(0, now.ranNanos() - before.ranNanos());
        double waited = Math.max(0, now.waitedNanos() - before.waitedNanos());
        if (ran + waited < MIN_ASKED * turnNanos) {
            return 0;
        }
        return Math.min(MAX_MISSING_CPU, waited / (ran + waited));
    }

    /** Checks the heartbeat of one thread; returns whether the thread has sent no heartbeat since the last turn. */
    private boolean checkHeartbeat(Watched watched, long turnNanos, double missingCpu) {
        Heartbeat heartbeat = watched.heartbeat;
        HeartbeatGap silence = watched.gap;
        long beats = heartbeat.beats();
        if (beats != watched.lastBeats) {
            watched.lastBeats = beats;
            silence.reset();
            return false;
        }
        silence.extend(scheduler.ofThread(heartbeat.nativeId()), turnNanos, TURN.toNanos(), missingCpu);
        if (heartbeat.waitingFor().isEmpty()) {
            checkTimeout(watched);
        } else {
            reportWait(heartbeat, silence);
        }
        return true;
    }

    private void checkTimeout(Watched watched) {
        Heartbeat heartbeat = watched.heartbeat;
        HeartbeatGap silence = watched.gap;
        long usable = silence.usableNanos();
        if (usable >= heartbeat.timeout().toNanos()) {
            String reason = String.format(
                    Locale.ROOT,
                    "made no progress for %d s, in which it used %.1f s of CPU time",
                    silence.turns() * TURN.toSeconds(),
                    seconds(silence.ranNanos()));
            threadFailed(watched, new ThreadFailure(heartbeat.name(), reason, heartbeat.threadStack()));
            return;
        }
        boolean isStarved = usable < silence.turns() * TURN.toNanos() / 2;
        if (silence.turns() == STALL_TURNS) {
            (isStarved ? starvations : stalls).incrementAndGet();
        }
        if (isStarved && silence.turns() >= STALL_TURNS) {
            reportStarvation(heartbeat, silence);
        }
    }

    private void reportStarvation(Heartbeat heartbeat, HeartbeatGap silence) {
        if (turnsSinceReport < REPORT_TURNS) {
            return;
        }
        turnsSinceReport = 0;
        long count = starvations.get() - starvationsReported;
        starvationsReported = starvations.get();
        String text = String.format(
                Locale.ROOT,
                "the process gets too little CPU: thread %s made no progress for %d s, in which it got %.1f s of CPU time",
                heartbeat.name(),
                silence.turns() * TURN.toSeconds(),
                seconds(silence.ranNanos()));
        LOG.warn("msg=\"{}\" starvations={}", text, count);
        onStarvation.accept(text);
    }

    private static void reportWait(Heartbeat heartbeat, HeartbeatGap silence) {
        long tooLong = silence.turns() - heartbeat.timeout().dividedBy(TURN);
        if (tooLong >= 0 && tooLong % REPORT_TURNS == 0) {
            LOG.warn(
                    "msg=\"a thread is blocked\" thread={} seconds={} for=\"{}\"",
                    heartbeat.name(),
                    silence.turns() * TURN.toSeconds(),
                    heartbeat.waitingFor());
        }
    }

    private static double seconds(long nanos) {
        return (double) nanos / TimeUnit.SECONDS.toNanos(1);
    }

    private void threadFailed(Watched watched, ThreadFailure failure) {
        all.remove(watched);
        try {
            LOG.error("msg=\"{}\"", failure.text(), failure.cause());
            watched.heartbeat.failureActions().forEach(Watchdog::execute);
        } finally {
            if (!failureReported) {
                failureReported = true;
                onFirstFailure.accept(failure);
            }
        }
    }

    private static void execute(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            LOG.warn("msg=\"cannot close the resources of a dead thread\"", e);
        }
    }
}
