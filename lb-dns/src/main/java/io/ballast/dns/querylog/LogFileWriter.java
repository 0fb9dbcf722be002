package io.ballast.dns.querylog;

import io.ballast.dns.querylog.dnstap.DnstapExchange;
import java.time.Clock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A thread that writes the log file and dnstap, and closes the outputs that are no longer used. A hanging disk blocks
 * only this thread: entries that do not fit into a queue are dropped and counted, and in-process listeners still
 * receive queries.
 */
final class LogFileWriter extends LogThread {

    private @Nullable DnstapExchange exchange;

    LogFileWriter(QueryLog log, Clock clock, LongSupplier nanoTime) {
        super("dns-log-files", log, clock, nanoTime);
    }

    @Override
    boolean take(QueryRecorder recorder, LogOutputs into, long epochNanos, long nowNanos) {
        DnstapRing ring = recorder.taps();
        if (ring == null) {
            return false;
        }
        Dnstap dnstap = into.dnstap();
        DnstapExchange read = exchange();
        int count = 0;
        while (count < MAX_BATCH_ENTRIES && ring.poll(epochNanos, read)) {
            if (dnstap != null) {
                read.setReportedClientBytes(into.clientAnonymizer().anonymize(read.client(), read.clientBytes()));
                dnstap.add(read);
                if (dnstap.isFull()) {
                    flush(into, nowNanos);
                }
            }
            count++;
        }
        return count > 0;
    }

    private DnstapExchange exchange() {
        DnstapExchange existing = exchange;
        if (existing == null) {
            existing = new DnstapExchange();
            exchange = existing;
        }
        return existing;
    }

    @Override
    void flush(LogOutputs into, long nowNanos) {
        useFiles(() -> into.flush(nowNanos));
    }

    @Override
    void replace(LogOutputs before, LogOutputs next, long nowNanos) {
        flush(before, nowNanos);
        useFiles(() -> before.closeUnused(next));
    }

    /** Runs a task that accesses files. During the task, the watchdog allows the thread to wait for a disk. */
    private void useFiles(Runnable use) {
        heartbeat().beginWait("the file of the query log or of dnstap");
        use.run();
        heartbeat().endWait();
    }

    @Override
    public void end() {
        while (turn()) {}
        setOutputs(LogOutputs.NONE);
    }
}
