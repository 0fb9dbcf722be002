package io.ballast.dns.querylog;

import io.ballast.core.log.LogLoop;
import io.ballast.core.watchdog.Heartbeat;
import io.ballast.dns.querylog.dnstap.DnstapExchange;
import java.time.Clock;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A thread that writes the log file and dnstap. A hanging disk blocks only this thread: entries that do not
 * fit into a queue are dropped and counted, and in-process listeners still receive queries.
 */
final class LogFileWriter implements LogLoop.Turns {

    /** Maximum number of entries taken from one ring per turn, for fairness. */
    private static final int MAX_BATCH_ENTRIES = 1024;

    private final QueryLog log;
    private final Clock clock;
    private final LongSupplier nanoTime;
    private final LogLoop loop = new LogLoop("dns-log-files", this);
    private @Nullable DnstapExchange exchange;

    /** Pending output changes; processed one by one, so that each removed output is closed. */
    private final Queue<LogOutputs> pendingOutputs = new ConcurrentLinkedQueue<>();

    private LogOutputs outputs = LogOutputs.NONE;

    LogFileWriter(QueryLog log, Clock clock, LongSupplier nanoTime) {
        this.log = log;
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    Thread start() {
        return loop.start();
    }

    /** Switches to new outputs, and closes the outputs that are no longer used. */
    void switchOutputs(LogOutputs next) {
        pendingOutputs.add(next);
        wakeUp();
    }

    /** Wakes the thread if it sleeps. */
    void wakeUp() {
        loop.wakeUp();
    }

    /** Writes the queued entries, closes all outputs, and ends the thread. */
    void stop() {
        loop.stop();
    }

    Heartbeat heartbeat() {
        return loop.heartbeat();
    }

    @Override
    public boolean turn() {
        long nowNanos = nanoTime.getAsLong();
        LogOutputs next = pendingOutputs.poll();
        while (next != null) {
            switchTo(next, nowNanos);
            next = pendingOutputs.poll();
        }
        long epochNanos = EpochOffset.nanos(clock, nowNanos);
        boolean hasWorked = false;
        for (QueryRecorder recorder : log.recorders()) {
            hasWorked |= writeDnstap(recorder, epochNanos, nowNanos);
        }
        flush(nowNanos);
        return hasWorked;
    }

    private boolean writeDnstap(QueryRecorder recorder, long epochNanos, long nowNanos) {
        DnstapRing ring = recorder.taps();
        if (ring == null) {
            return false;
        }
        Dnstap dnstap = outputs.dnstap();
        DnstapExchange into = exchange();
        int count = 0;
        while (count < MAX_BATCH_ENTRIES && ring.poll(epochNanos, into)) {
            if (dnstap != null) {
                into.setReportedClientBytes(outputs.clientAnonymizer().anonymize(into.client(), into.clientBytes()));
                dnstap.add(into);
                flushIfFull(dnstap, nowNanos);
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

    private void flushIfFull(Dnstap dnstap, long nowNanos) {
        if (dnstap.isFull()) {
            flush(nowNanos);
        }
    }

    private void flush(long nowNanos) {
        loop.heartbeat().beginWait("the file of the query log or of dnstap");
        outputs.flush(nowNanos);
        loop.heartbeat().endWait();
    }

    private void switchTo(LogOutputs next, long nowNanos) {
        flush(nowNanos);
        loop.heartbeat().beginWait("the file of the query log or of dnstap");
        outputs.closeUnused(next);
        loop.heartbeat().endWait();
        outputs = next;
    }

    @Override
    public void end() {
        while (turn()) {}
        switchTo(LogOutputs.NONE, nanoTime.getAsLong());
    }
}
