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
    private static final int MAX_AT_ONCE = 1024;

    private final QueryLog log;
    private final LogFileWriter files;
    private final Clock clock;
    private final LongSupplier nanoTime;
    private final LogLoop loop = new LogLoop("dns-log", this);
    private final QueryLogEntry entry = new QueryLogEntry();

    /** Pending output changes; processed one by one, so that each removed output is closed. */
    private final Queue<LogOutputs> changes = new ConcurrentLinkedQueue<>();

    private LogOutputs outputs = LogOutputs.NONE;

    LogDispatcher(QueryLog log, LogFileWriter files, Clock clock, LongSupplier nanoTime) {
        this.log = log;
        this.files = files;
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    Thread start() {
        return loop.start();
    }

    /** Switches to other outputs. {@link LogFileWriter} follows after it has got all lines for the previous ones. */
    void change(LogOutputs next) {
        changes.add(next);
        hurry();
    }

    /** Wakes the thread if it sleeps. */
    void hurry() {
        loop.hurry();
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
        LogOutputs next = changes.poll();
        while (next != null) {
            outputs.abandonTo(next);
            if (outputs.hasFiles() || next.hasFiles()) {
                files.change(next);
            }
            if (outputs.tellsMoreThan(next)) {
                log.forget();
            }
            outputs = next;
            next = changes.poll();
        }
        long epochNanos = EpochOffset.nanos(clock, nanoTime.getAsLong());
        boolean any = false;
        for (QueryRecorder recorder : log.recorders()) {
            any |= pass(recorder, epochNanos);
        }
        outputs.handOver();
        return any;
    }

    private boolean pass(QueryRecorder recorder, long epochNanos) {
        QueryLogRing ring = recorder.entries();
        QueryFile file = outputs.file();
        int count = 0;
        while (ring != null && count < MAX_AT_ONCE && ring.take(entry)) {
            count++;
            if (!outputs.config().queryLog().enabled()) {
                continue; // logging is off now: earlier queries are discarded too
            }
            AnsweredQuery query = entry.read(epochNanos, outputs.privacy(), log.deciders());
            if (file != null) {
                file.add(query);
            }
            log.tell(query);
        }
        return count > 0;
    }

    @Override
    public void end() {
        while (turn()) {}
        outputs.abandonTo(LogOutputs.NONE);
        files.stop();
    }
}
