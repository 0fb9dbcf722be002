package io.ballast.dns.querylog;

import io.ballast.core.log.LogLoop;
import io.ballast.core.watchdog.Heartbeat;
import java.time.Clock;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;

/**
 * A thread that takes answered queries from the rings and passes them to in-process listeners. It never waits for a
 * disk: it formats lines for the file, which {@link LogFileWriter} writes.
 */
final class LogDispatcher implements LogLoop.Turns {

    /** Maximum number of entries taken from one ring per turn, for fairness. */
    private static final int MAX_BATCH_ENTRIES = 1024;

    private final QueryLog log;
    private final LogFileWriter fileWriter;
    private final Clock clock;
    private final LongSupplier nanoTime;
    private final LogLoop loop = new LogLoop("dns-log", this);
    private final QueryLogEntry entry = new QueryLogEntry();

    /** Pending output changes; processed one by one, so that each removed output is closed. */
    private final Queue<LogOutputs> pendingOutputs = new ConcurrentLinkedQueue<>();

    private LogOutputs outputs = LogOutputs.NONE;

    LogDispatcher(QueryLog log, LogFileWriter fileWriter, Clock clock, LongSupplier nanoTime) {
        this.log = log;
        this.fileWriter = fileWriter;
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    Thread start() {
        return loop.start();
    }

    /**
     * Switches to new outputs. {@link LogFileWriter} switches after it has received all lines for the previous
     * outputs.
     */
    void switchOutputs(LogOutputs next) {
        pendingOutputs.add(next);
        wakeUp();
    }

    /** Wakes the thread if it sleeps. */
    void wakeUp() {
        loop.wakeUp();
    }

    /** Passes on the queued queries, ends the thread, and then stops {@link LogFileWriter}. */
    void stop() {
        loop.stop();
    }

    Heartbeat heartbeat() {
        return loop.heartbeat();
    }

    @Override
    public boolean turn() {
        LogOutputs next = pendingOutputs.poll();
        while (next != null) {
            outputs.abandonUnused(next);
            if (outputs.hasFiles() || next.hasFiles()) {
                fileWriter.switchOutputs(next);
            }
            if (outputs.revealsMoreThan(next)) {
                log.clearQueries();
            }
            outputs = next;
            next = pendingOutputs.poll();
        }
        long epochNanos = EpochOffset.nanos(clock, nanoTime.getAsLong());
        boolean hasWorked = false;
        for (QueryRecorder recorder : log.recorders()) {
            hasWorked |= dispatch(recorder, epochNanos);
        }
        outputs.enqueueLines();
        return hasWorked;
    }

    private boolean dispatch(QueryRecorder recorder, long epochNanos) {
        QueryLogRing ring = recorder.entries();
        QueryFile file = outputs.file();
        int count = 0;
        while (ring != null && count < MAX_BATCH_ENTRIES && ring.poll(entry)) {
            count++;
            if (!outputs.config().queryLog().enabled()) {
                continue; // discard queries that were recorded before logging was turned off
            }
            AnsweredQuery query = entry.toAnsweredQuery(epochNanos, outputs.clientAnonymizer(), log.deciderLabeler());
            if (file != null) {
                file.add(query);
            }
            log.publish(query);
        }
        return count > 0;
    }

    @Override
    public void end() {
        while (turn()) {}
        outputs.abandonUnused(LogOutputs.NONE);
        fileWriter.stop();
    }
}
