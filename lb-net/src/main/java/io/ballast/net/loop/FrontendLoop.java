package io.ballast.net.loop;

import io.ballast.core.watchdog.Heartbeat;
import io.ballast.net.timer.DeadlineWheel;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * One event loop of a frontend, with its clock, deadlines and heartbeat, independent of the protocol.
 * Frontends extend it with their own state.
 *
 * <p>Thread safety: any thread may call {@link #eventLoop} and {@link #heartbeat}; all other methods are
 * confined to the event loop. Cost: {@link #now} reads a field; one tick every {@value
 * DeadlineWheel#TICK_MILLIS} ms.
 */
public abstract class FrontendLoop {

    private final EventLoop eventLoop;
    private final Heartbeat heartbeat;
    private final LongSupplier nanoTime;
    private final DeadlineWheel deadlines;
    private long nowNanos;

    /**
     * @param heartbeat beats at every tick; if a tick throws, no further ticks run, so the heartbeat and all
     *     deadlines stop
     */
    protected FrontendLoop(EventLoop eventLoop, Heartbeat heartbeat) {
        this(eventLoop, heartbeat, System::nanoTime);
    }

    /** @param nanoTime the clock; tests pass their own */
    protected FrontendLoop(EventLoop eventLoop, Heartbeat heartbeat, LongSupplier nanoTime) {
        this.eventLoop = eventLoop;
        this.heartbeat = heartbeat;
        this.nanoTime = nanoTime;
        this.nowNanos = nanoTime.getAsLong();
        this.deadlines = new DeadlineWheel(nowNanos);
    }

    /** Starts the periodic tick of the event loop. Called once, after construction, by any thread. */
    public final void start() {
        eventLoop.scheduleWithFixedDelay(
                this::tick, DeadlineWheel.TICK_MILLIS, DeadlineWheel.TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    public final EventLoop eventLoop() {
        return eventLoop;
    }

    /** The heartbeat of the event loop, which the loop sends at every tick. */
    public final Heartbeat heartbeat() {
        return heartbeat;
    }

    /**
     * The value of {@link System#nanoTime()} when this loop last read the clock: at every tick and at
     * {@link #readClock}. All work of one event uses the same reading.
     */
    public final long now() {
        return nowNanos;
    }

    /** Reads the clock, stores the time as the current time of this loop, and returns it. */
    public final long readClock() {
        nowNanos = nanoTime.getAsLong();
        return nowNanos;
    }

    /** The deadlines; their times are on the clock of {@link #now}. */
    public final DeadlineWheel deadlines() {
        return deadlines;
    }

    /** Sets or moves a deadline to {@code time} after {@link #now()}. */
    public final void setDeadline(DeadlineWheel.Deadline deadline, Duration time) {
        deadlines.set(deadline, nowNanos + time.toNanos());
    }

    /** Hook for frontends, called at every tick after the due deadlines. Does nothing by default. */
    protected void onTick() {}

    private void tick() {
        try {
            deadlines.advance(readClock());
            onTick();
            heartbeat.beat();
        } catch (RuntimeException | Error e) {
            heartbeat.markEnded(e);
            throw e;
        }
    }
}
