package io.ballast.http.net;

import io.ballast.core.config.TransportKind;
import io.ballast.core.watchdog.Heartbeat;
import io.ballast.net.budget.BudgetedReads;
import io.ballast.net.budget.Shedding;
import io.ballast.net.budget.TransitShare;
import io.ballast.net.loop.LoopHeartbeat;
import io.ballast.net.timer.DeadlineWheel;
import io.ballast.net.transport.NettyTransport;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** One event loop and what it owns. Everything but the accessors is confined to that loop. */
public final class Worker {

    private final int index;
    private final EventLoop loop;
    private final NettyTransport transport;
    private final ByteBufAllocator allocator;
    private final DeadlineWheel deadlines = new DeadlineWheel(System.nanoTime());
    private final HttpDate date = new HttpDate();
    private final SplittableRandom random;
    private final TransitShare transit;
    private final Shedding shedding;
    private final Heartbeat heartbeat;
    private long nowNanos = System.nanoTime();

    Worker(
            int index,
            EventLoop loop,
            NettyTransport transport,
            ByteBufAllocator allocator,
            TransitShare transit,
            SplittableRandom random) {
        this.index = index;
        this.loop = loop;
        this.transport = transport;
        this.allocator = allocator;
        this.random = random;
        this.transit = transit;
        this.shedding = new Shedding(transit);
        this.heartbeat = LoopHeartbeat.of(loop, "worker-" + index, LoopHeartbeat.PATIENCE);
        loop.scheduleWithFixedDelay(
                this::tick, DeadlineWheel.TICK_MILLIS, DeadlineWheel.TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Its number among the workers, and the index of its shards in counters. */
    public int index() {
        return index;
    }

    public EventLoop loop() {
        return loop;
    }

    public NettyTransport transport() {
        return transport;
    }

    public ByteBufAllocator allocator() {
        return allocator;
    }

    /**
     * The time on the clock of {@link System#nanoTime()} when this loop last read it: at the beginning of every read from
     * a socket, and at every tick. One look at the clock serves all that one event sets off.
     */
    public long now() {
        return nowNanos;
    }

    /** Reads the clock anew. */
    public long readClock() {
        nowNanos = System.nanoTime();
        return nowNanos;
    }

    /** Sets or moves a deadline to the given time from {@link #now()}. */
    public void setDeadline(DeadlineWheel.Deadline deadline, Duration time) {
        deadlines.set(deadline, nowNanos + time.toNanos());
    }

    public DeadlineWheel deadlines() {
        return deadlines;
    }

    public SplittableRandom random() {
        return random;
    }

    /** How much its connections may hold now. */
    public TransitShare transit() {
        return transit;
    }

    /** What one of its connections reads into. */
    public BudgetedReads newReads() {
        return new BudgetedReads(transit, /* takenInAdvance= */ transport.kind() == TransportKind.IO_URING);
    }

    /** Which of its connections are closed if they hold too much together. */
    public Shedding shedding() {
        return shedding;
    }

    /** The value of a {@code Date} header, at most a tick behind. */
    public byte[] date() {
        return date.bytes();
    }

    /** The time in UTC as RFC 3339 has it, in whole seconds, at most a tick behind. */
    public byte[] time() {
        return date.rfc3339();
    }

    /** Beats with every tick; a tick that throws is the last one, and so is the end of all deadlines. */
    public Heartbeat heartbeat() {
        return heartbeat;
    }

    private void tick() {
        try {
            deadlines.advance(readClock());
            shedding.tick();
            date.refresh(System.currentTimeMillis());
            heartbeat.beat();
        } catch (RuntimeException | Error e) {
            heartbeat.ended(e);
            throw e;
        }
    }
}
