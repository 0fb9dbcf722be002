package io.ballast.net.loop;

import io.ballast.core.watchdog.Heartbeat;
import io.ballast.net.timer.DeadlineWheel;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * One event loop of a frontend, and what it owns there, whatever the frontend speaks: a clock, deadlines and a sign of
 * life. Frontends add what is theirs.
 *
 * <p>Thread safety: {@link #eventLoop} and {@link #heartbeat} may be called by any thread; the rest is confined to the
 * event loop. Cost: {@link #now} reads a field; a tick every {@value DeadlineWheel#TICK_MILLIS} ms.
 */
public abstract class FrontendLoop {

    private final EventLoop eventLoop;
    private final Heartbeat heartbeat;
    private final LongSupplier nanoTime;
    private final DeadlineWheel deadlines;
    private long nowNanos;

    /** @param heartbeat beats with every tick; a tick that throws is the last one, and so is the end of all deadlines */
    protected FrontendLoop(EventLoop eventLoop, Heartbeat heartbeat) {
        this(eventLoop, heartbeat, System::nanoTime);
    }

    /** @param nanoTime the clock, for tests that let time pass themselves */
    protected FrontendLoop(EventLoop eventLoop, Heartbeat heartbeat, LongSupplier nanoTime) {
        this.eventLoop = eventLoop;
        this.heartbeat = heartbeat;
        this.nanoTime = nanoTime;
        this.nowNanos = nanoTime.getAsLong();
        this.deadlines = new DeadlineWheel(nowNanos);
    }

    /** Begins to tick. Called once, when the loop is made; any thread may do so. */
    public final void start() {
        eventLoop.scheduleWithFixedDelay(
                this::tick, DeadlineWheel.TICK_MILLIS, DeadlineWheel.TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    public final EventLoop eventLoop() {
        return eventLoop;
    }

    /** That of the event loop: it beats with every tick. */
    public final Heartbeat heartbeat() {
        return heartbeat;
    }

    /**
     * The time on the clock of {@link System#nanoTime()} when this loop last read it: at every tick, and when it was asked
     * to. One look at the clock serves all that one event sets off.
     */
    public final long now() {
        return nowNanos;
    }

    /** Reads the clock anew. */
    public final long readClock() {
        nowNanos = nanoTime.getAsLong();
        return nowNanos;
    }

    /** Its deadlines, whose times are those of {@link #now}. */
    public final DeadlineWheel deadlines() {
        return deadlines;
    }

    /** Sets or moves a deadline to the given time from {@link #now()}. */
    public final void setDeadline(DeadlineWheel.Deadline deadline, Duration time) {
        deadlines.set(deadline, nowNanos + time.toNanos());
    }

    /** What the frontend does with every tick, after what is due. Does nothing unless overridden. */
    protected void ticked() {}

    private void tick() {
        try {
            deadlines.advance(readClock());
            ticked();
            heartbeat.beat();
        } catch (RuntimeException | Error e) {
            heartbeat.ended(e);
            throw e;
        }
    }
}
