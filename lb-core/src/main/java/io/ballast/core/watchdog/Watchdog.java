package io.ballast.core.watchdog;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at every heartbeat once in {@value #TURN_SECONDS} s and finds threads that ended, or that did not beat for as
 * long as they may be silent. Each is logged once; then what must not outlive it is closed, and the first one is handed
 * over.
 *
 * <p>Silence is measured in turns of this thread, not on a clock: when the clock is stepped, or the machine sleeps and
 * wakes, every thread was silent for one turn and no more.
 *
 * <p>Thread safety: any thread may call {@link #watch} and {@link #close}; the rest is confined to the thread that looks.
 */
public final class Watchdog implements AutoCloseable {

    static final int TURN_SECONDS = 1;

    private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);
    private static final Duration TURN = Duration.ofSeconds(TURN_SECONDS);
    /** Turns without a beat that count as one stall: clients have noticed. */
    static final int STALL_TURNS = 3;

    /** Turns between two reports about a thread that waits for something outside. */
    private static final int REPORT_TURNS = 60;

    private final Consumer<Death> firstDeath;
    private final List<Watched> all = new CopyOnWriteArrayList<>();
    private boolean told;
    private volatile boolean closed;
    /** Written by the thread that looks alone. */
    private final AtomicLong stalls = new AtomicLong();

    /** What was seen of one thread. */
    private static final class Watched {
        final Heartbeat heart;
        long seen;
        int silentTurns;

        Watched(Heartbeat heart) {
            this.heart = heart;
        }
    }

    /** @param firstDeath called once at most, by the thread that looks; may end the process */
    public Watchdog(Consumer<Death> firstDeath) {
        this.firstDeath = firstDeath;
    }

    /** Begins to look, on a thread of its own. */
    public void start() {
        Thread looking = new Thread(this::look, "watchdog");
        looking.setDaemon(true);
        looking.start();
    }

    /** Watches these too, from now on and until they are stopped. */
    public void watch(Collection<Heartbeat> hearts) {
        hearts.forEach(heart -> all.add(new Watched(heart)));
    }

    /**
     * How often a thread was silent for {@value #STALL_TURNS} s or longer, whether it came back or not; those that wait for
     * something outside do not count.
     */
    public long stalls() {
        return stalls.get();
    }

    /** Stops looking. */
    @Override
    public void close() {
        closed = true;
    }

    private void look() {
        while (!closed) {
            awaitTurn();
            try {
                turn();
            } catch (RuntimeException | Error e) {
                // Out of memory, most likely: whatever it is, the next turn may see what it did.
                LOG.error("msg=\"the watchdog could not look\"", e);
            }
        }
    }

    /** Never returns early: turns would be counted for which the threads had no time. */
    private static void awaitTurn() {
        long end = System.nanoTime() + TURN.toNanos();
        for (long left = TURN.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.interrupted()) {
                LOG.debug("the watchdog was interrupted");
            }
        }
    }

    /** Looks once at each. */
    void turn() {
        all.removeIf(watched -> watched.heart.isStopped());
        for (Watched watched : all) {
            Heartbeat.End end = watched.heart.end();
            if (end != null) {
                String reason = end.cause() == null ? "ended" : "ended by " + end.cause();
                died(watched, new Death(watched.heart.name(), reason, end.cause()));
            } else {
                listen(watched);
            }
        }
    }

    private void listen(Watched watched) {
        Heartbeat heart = watched.heart;
        long beats = heart.beats();
        if (beats != watched.seen) {
            watched.seen = beats;
            watched.silentTurns = 0;
            return;
        }
        watched.silentTurns++;
        String waitingFor = heart.waitingFor();
        if (watched.silentTurns == STALL_TURNS && waitingFor.isEmpty()) {
            stalls.incrementAndGet();
        }
        long tooLong = watched.silentTurns - heart.patience().dividedBy(TURN);
        if (tooLong < 0) {
            return;
        }
        long seconds = watched.silentTurns * TURN.toSeconds();
        if (waitingFor.isEmpty()) {
            String reason = "has not turned for " + seconds + " s";
            died(watched, new Death(heart.name(), reason, heart.whereItHangs()));
        } else if (tooLong % REPORT_TURNS == 0) {
            LOG.warn("msg=\"a thread waits\" thread={} seconds={} for=\"{}\"", heart.name(), seconds, waitingFor);
        }
    }

    private void died(Watched watched, Death death) {
        all.remove(watched);
        try {
            LOG.error("msg=\"{}\"", death.text(), death.cause());
            watched.heart.lastWill().forEach(Watchdog::execute);
        } finally {
            if (!told) {
                told = true;
                firstDeath.accept(death);
            }
        }
    }

    private static void execute(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            LOG.warn("msg=\"could not close what belonged to a dead thread\"", e);
        }
    }
}
