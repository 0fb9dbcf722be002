package io.ballast.dns.querylog;

import java.time.Clock;
import java.util.function.LongSupplier;

/**
 * A thread that takes answered queries from the rings and passes them to in-process listeners. It never waits for a
 * disk: it formats lines for the file, which {@link LogFileWriter} writes. {@link LogFileWriter} switches to new
 * outputs after it has received all lines for the previous ones, and ends after this thread.
 */
final class LogDispatcher extends LogThread {

    private final QueryLog log;
    private final LogFileWriter fileWriter;
    private final QueryLogEntry entry = new QueryLogEntry();

    LogDispatcher(QueryLog log, LogFileWriter fileWriter, Clock clock, LongSupplier nanoTime) {
        super("dns-log", log, clock, nanoTime);
        this.log = log;
        this.fileWriter = fileWriter;
    }

    @Override
    void replace(LogOutputs before, LogOutputs next, long nowNanos) {
        before.abandonUnused(next);
        if (before.hasFiles() || next.hasFiles()) {
            fileWriter.switchOutputs(next);
        }
        if (before.revealsMoreThan(next)) {
            log.clearQueries();
        }
    }

    @Override
    boolean take(QueryRecorder recorder, LogOutputs into, long epochNanos, long nowNanos) {
        QueryLogRing ring = recorder.entries();
        QueryFile file = into.file();
        int count = 0;
        while (ring != null && count < MAX_BATCH_ENTRIES && ring.poll(entry)) {
            count++;
            if (!into.config().queryLog().enabled()) {
                continue; // discard queries that were recorded before logging was turned off
            }
            AnsweredQuery query = entry.toAnsweredQuery(epochNanos, into.clientAnonymizer(), log.deciderLabeler());
            if (file != null) {
                file.add(query);
            }
            log.publish(query);
        }
        return count > 0;
    }

    @Override
    void flush(LogOutputs into, long nowNanos) {
        into.enqueueLines();
    }

    @Override
    public void end() {
        while (turn()) {}
        outputs().abandonUnused(LogOutputs.NONE);
        fileWriter.stop();
    }
}
