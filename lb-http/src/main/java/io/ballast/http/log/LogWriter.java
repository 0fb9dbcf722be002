package io.ballast.http.log;

import io.ballast.core.ErrorText;
import io.ballast.core.log.LogLoop;
import io.ballast.core.log.LogTarget;
import io.ballast.core.log.RecordRing;
import io.ballast.core.watchdog.Heartbeat;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes all access logs on its own thread: formats queued records and writes them in large chunks.
 *
 * <p>Lines that cannot be written are lost and counted. The writer reports the failure at most once a
 * minute, and tries again with later lines. A hanging disk blocks only this thread. While it is blocked,
 * full queues drop new exchanges and count them.
 */
final class LogWriter implements LogLoop.Turns {

    private static final Logger LOG = LoggerFactory.getLogger(LogWriter.class);

    private static final long REFRESH_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long REPORT_NANOS = TimeUnit.MINUTES.toNanos(1);
    /** Maximum size of a chunk. At most one chunk of a queue is written before the other queues are served. */
    private static final int PIECE_BYTES = 64 * 1024;

    private final Clock clock;
    private final LogLoop loop = new LogLoop("access-log", this);
    private final Heartbeat heartbeat = loop.heartbeat();
    private final LogRecord entry = new LogRecord();
    private final LogLine lines = new LogLine();

    /** Lists of logs to write, applied in order, so that every removed log is drained and closed. */
    private final Queue<List<AccessLog>> changes = new ConcurrentLinkedQueue<>();

    private List<AccessLog> logs = List.of();

    private long lastRefresh = System.nanoTime();
    private long lastReport = lastRefresh - REPORT_NANOS;

    LogWriter(Clock clock) {
        this.clock = clock;
    }

    Thread start(List<AccessLog> toServe) {
        changes.add(List.copyOf(toServe));
        return loop.start();
    }

    /** Replaces the list of logs to write; logs that are no longer in the list are drained and closed. */
    void replaceLogs(List<AccessLog> next) {
        changes.add(List.copyOf(next));
        loop.wakeUp();
    }

    /** Wakes the writer if it sleeps. */
    void wakeUp() {
        loop.wakeUp();
    }

    /** Writes the queued records, then ends the thread. */
    void stop() {
        loop.stop();
    }

    Heartbeat heartbeat() {
        return heartbeat;
    }

    @Override
    public boolean turn() {
        applyChanges();
        boolean any = writeQueued();
        refreshTargets();
        return any;
    }

    @Override
    public void end() {
        applyChanges();
        while (writeQueued()) {}
    }

    private void applyChanges() {
        List<AccessLog> next = changes.poll();
        while (next != null) {
            List<AccessLog> before = logs;
            logs = next;
            for (AccessLog log : before) {
                if (!next.contains(log)) {
                    while (write(log)) {}
                    closeIfUnused(log.target());
                }
            }
            next = changes.poll();
        }
    }

    /** Closes a target, unless another log uses it. */
    private void closeIfUnused(LogTarget target) {
        if (logs.stream().noneMatch(log -> log.target() == target)) {
            heartbeat.beginWait("the access log file");
            close(target);
            heartbeat.endWait();
        }
    }

    static void close(LogTarget target) {
        try {
            target.close();
        } catch (IOException e) {
            LOG.warn("msg=\"cannot close an access log\" reason=\"{}\"", ErrorText.of(e));
        }
    }

    /** Writes one chunk from each queue; returns whether any queue contained a record. */
    private boolean writeQueued() {
        boolean any = false;
        for (AccessLog log : logs) {
            any |= write(log);
        }
        return any;
    }

    private boolean write(AccessLog log) {
        boolean any = false;
        for (RecordRing ring : log.rings()) {
            any |= writePiece(log, ring);
        }
        return any;
    }

    private boolean writePiece(AccessLog log, RecordRing ring) {
        lines.clear();
        int count = 0;
        long clockOffset = TimeUnit.MILLISECONDS.toNanos(clock.millis()) - System.nanoTime();
        while (lines.length() < PIECE_BYTES && ring.peek()) {
            entry.read(ring);
            long epochMillis = TimeUnit.NANOSECONDS.toMillis(entry.startNanos() + clockOffset);
            log.format().append(entry, epochMillis, lines);
            ring.release();
            count++;
        }
        if (count == 0) {
            return false;
        }
        heartbeat.beginWait("the access log file or stream");
        try {
            log.target().write(lines.bytes(), lines.length());
            log.addLost(log.target().takeLost());
        } catch (IOException e) {
            log.addLost(count);
            report(e);
        } finally {
            heartbeat.endWait();
        }
        return true;
    }

    private void refreshTargets() {
        long now = System.nanoTime();
        if (now - lastRefresh < REFRESH_NANOS) {
            return;
        }
        lastRefresh = now;
        heartbeat.beginWait("the access log file");
        for (AccessLog log : logs) {
            try {
                log.target().refresh();
            } catch (IOException e) {
                report(e);
            }
        }
        heartbeat.endWait();
    }

    private void report(IOException failure) {
        long now = System.nanoTime();
        if (now - lastReport >= REPORT_NANOS) {
            lastReport = now;
            long lost = logs.stream().mapToLong(AccessLog::lost).sum();
            LOG.warn("msg=\"cannot write the access log\" lost={} reason=\"{}\"", lost, ErrorText.of(failure));
        }
    }
}
