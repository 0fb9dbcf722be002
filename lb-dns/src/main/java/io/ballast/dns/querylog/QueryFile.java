package io.ballast.dns.querylog;

import io.ballast.core.ErrorText;
import io.ballast.core.log.LogTarget;
import io.ballast.core.log.RotatedFile;
import io.ballast.dns.config.DnsQueryLogConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * The query log file. If the disk is slow, lines that do not fit into the queue are dropped and counted.
 *
 * <p>Thread safety: {@link #add}, {@link #enqueueLines} and {@link #abandon} are confined to the log's
 * thread, the other methods to the file thread.
 */
final class QueryFile {

    private static final long REFRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LogTarget file;
    private final QueryLineFormatter formatter;
    private final LogCounts counts;
    private final FailureReport report;
    private final LogChunkQueue chunks = new LogChunkQueue();
    private long refreshedNanos = System.nanoTime();

    QueryFile(Path path, LogTarget file, QueryLineFormatter formatter, LogCounts counts) {
        this.file = file;
        this.formatter = formatter;
        this.counts = counts;
        this.report = new FailureReport("cannot write the query log " + path);
    }

    /** Opens the file; its directory must exist. */
    static QueryFile open(Path path, DnsQueryLogConfig config, LogCounts counts) throws IOException {
        try {
            LogTarget file = RotatedFile.open(
                    path, config.rotate().sizeBytes(), config.rotate().keep());
            return new QueryFile(path, file, new QueryLineFormatter(config.format()), counts);
        } catch (IOException e) {
            throw new IOException("dns.query_log.file: cannot write " + path + ": " + ErrorText.reason(e), e);
        }
    }

    void add(AnsweredQuery query) {
        StringBuilder lines = chunks.nextLineBuffer();
        if (lines == null) {
            counts.addDropped(1);
        } else {
            formatter.append(query, lines);
        }
    }

    /** Passes the added lines to the file thread, unless its queue is full. */
    void enqueueLines() {
        chunks.enqueueChunk();
    }

    /** Called after the last line was added: drops the lines that do not fit into the queue. */
    void abandon() {
        counts.addDropped(chunks.discard());
    }

    /** Writes the queued lines, and checks whether another process has rotated the file. */
    void flush(long nowNanos) {
        if (nowNanos - refreshedNanos >= REFRESH_NANOS) {
            refreshedNanos = nowNanos;
            try {
                file.refresh();
            } catch (IOException e) {
                report.report(e, counts.droppedCount());
            }
        }
        LogChunkQueue.Piece chunk = chunks.poll();
        while (chunk != null) {
            write(chunk);
            chunk = chunks.poll();
        }
    }

    private void write(LogChunkQueue.Piece chunk) {
        try {
            file.write(chunk.bytes(), chunk.bytes().length);
            counts.addWritten(chunk.lineCount());
        } catch (IOException e) {
            counts.addDropped(chunk.lineCount());
            report.report(e, counts.droppedCount());
        }
    }

    void close() {
        flush(refreshedNanos);
        try {
            file.close();
        } catch (IOException e) {
            report.report(e, counts.droppedCount());
        }
    }
}
