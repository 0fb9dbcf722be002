package io.ballast.dns.querylog;

import io.ballast.core.log.LogLoop;
import io.ballast.core.watchdog.Heartbeat;
import java.time.Clock;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;

/** A thread that takes entries from the rings of all recorders, and whose outputs change at run time. */
abstract class LogThread implements LogLoop.Turns {

    /**
     * Maximum number of entries that are taken from one ring before the next ring is read, so that no ring is
     * neglected.
     */
    static final int MAX_BATCH_ENTRIES = 1024;

    private final QueryLog log;
    private final Clock clock;
    private final LongSupplier nanoTime;
    private final LogLoop loop;

    /** Pending output changes; processed one by one, so that each removed output is closed. */
    private final Queue<LogOutputs> pendingOutputs = new ConcurrentLinkedQueue<>();

    private LogOutputs outputs = LogOutputs.NONE;

    LogThread(String name, QueryLog log, Clock clock, LongSupplier nanoTime) {
        this.log = log;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.loop = new LogLoop(name, this);
    }

    // Methods that any thread may call:

    final Thread start() {
        return loop.start();
    }

    /** Switches to new outputs. */
    final void switchOutputs(LogOutputs next) {
        pendingOutputs.add(next);
        wakeUp();
    }

    /** Wakes the thread if it sleeps. */
    final void wakeUp() {
        loop.wakeUp();
    }

    /** Lets the thread process the queued entries, and then end. */
    final void stop() {
        loop.stop();
    }

    final Heartbeat heartbeat() {
        return loop.heartbeat();
    }

    // Methods that only this thread calls:

    @Override
    public final boolean turn() {
        LogOutputs next = pendingOutputs.poll();
        while (next != null) {
            setOutputs(next);
            next = pendingOutputs.poll();
        }
        long nowNanos = nanoTime.getAsLong();
        long epochNanos = EpochOffset.nanos(clock, nowNanos);
        boolean hasWorked = false;
        for (QueryRecorder recorder : log.recorders()) {
            hasWorked |= take(recorder, outputs, epochNanos, nowNanos);
        }
        flush(outputs, nowNanos);
        return hasWorked;
    }

    /** Replaces the outputs; see {@link #replace}. */
    final void setOutputs(LogOutputs next) {
        replace(outputs, next, nanoTime.getAsLong());
        outputs = next;
    }

    final LogOutputs outputs() {
        return outputs;
    }

    /** Takes entries from a recorder; returns whether there were any. */
    abstract boolean take(QueryRecorder recorder, LogOutputs into, long epochNanos, long nowNanos);

    /** Writes or forwards the entries that the outputs have collected. */
    abstract void flush(LogOutputs into, long nowNanos);

    /** Called before the outputs change; releases outputs that are no longer used. */
    abstract void replace(LogOutputs before, LogOutputs next, long nowNanos);
}
