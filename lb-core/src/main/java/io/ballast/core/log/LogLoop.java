package io.ballast.core.log;

import io.ballast.core.watchdog.Heartbeat;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The thread of a log, which polls queues. It sleeps for 2 to 64 ms between polls, longer if there is
 * less to do. It is woken when a queue is half full.
 *
 * <p>Thread safety: any thread may call any method of this class; only the log's own thread calls {@link
 * Turns}.
 */
public final class LogLoop implements Runnable {

    private static final long SHORTEST_SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long LONGEST_SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(64);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final Turns turns;
    private final Heartbeat heartbeat;
    private volatile boolean stopping;
    private volatile boolean sleeping;
    private volatile @Nullable Thread thread;

    /** The work of the log thread, which calls {@link #turn} repeatedly. */
    public interface Turns {

        /**
         * Does the work that is due now.
         *
         * @return whether there was work to do
         */
        boolean turn();

        /** Writes the remaining data and closes the targets. Called once, at the end. */
        void end();
    }

    /** @param name the name of the thread; it is also shown to operators */
    public LogLoop(String name, Turns turns) {
        this.turns = turns;
        this.heartbeat = new Heartbeat(name, TIMEOUT);
    }

    /** Starts the thread. May be called only once. */
    public Thread start() {
        Thread started = new Thread(this, heartbeat.name());
        started.setDaemon(true);
        thread = started;
        started.start();
        return started;
    }

    /** Wakes the thread if it sleeps. */
    public void wakeUp() {
        if (sleeping) {
            LockSupport.unpark(thread);
        }
    }

    /** Makes the thread write the remaining entries and then end. */
    public void stop() {
        heartbeat.stop();
        stopping = true;
        LockSupport.unpark(thread);
    }

    public Heartbeat heartbeat() {
        return heartbeat;
    }

    @Override
    public void run() {
        try {
            turnUntilStopped();
            turns.end();
        } catch (RuntimeException | Error e) {
            heartbeat.markEnded(e);
        }
    }

    private void turnUntilStopped() {
        long sleep = SHORTEST_SLEEP_NANOS;
        while (!stopping) {
            heartbeat.beat();
            sleep = turns.turn() ? SHORTEST_SLEEP_NANOS : Math.min(2 * sleep, LONGEST_SLEEP_NANOS);
            sleeping = true;
            LockSupport.parkNanos(sleep);
            sleeping = false;
        }
    }
}
