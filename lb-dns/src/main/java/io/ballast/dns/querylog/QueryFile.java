package io.ballast.dns.querylog;

import io.ballast.core.ErrorText;
import io.ballast.core.log.LogTarget;
import io.ballast.core.log.RotatedFile;
import io.ballast.dns.config.DnsQueryLogConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * The file of the query log. What finds no room while the disk is slow is dropped and counted.
 *
 * <p>Thread safety: {@link #add}, {@link #handOver} and {@link #giveUp} belong to the log's thread, the rest to that which writes files.
 */
final class QueryFile {

    private static final long REFRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LogTarget file;
    private final QueryLine format;
    private final LogCounts counts;
    private final FailureReport report;
    private final Pieces pieces = new Pieces();
    private long refreshedNanos = System.nanoTime();

    QueryFile(Path path, LogTarget file, QueryLine format, LogCounts counts) {
        this.file = file;
        this.format = format;
        this.counts = counts;
        this.report = new FailureReport("cannot write the query log " + path);
    }

    /** Opens it; its directory must be there. */
    static QueryFile open(Path path, DnsQueryLogConfig config, LogCounts counts) throws IOException {
        try {
            LogTarget file = RotatedFile.open(
                    path, config.rotate().sizeBytes(), config.rotate().keep());
            return new QueryFile(path, file, new QueryLine(config.format()), counts);
        } catch (IOException e) {
            throw new IOException("dns.query_log.file: cannot write " + path + ": " + ErrorText.reason(e), e);
        }
    }

    void add(AnsweredQuery query) {
        StringBuilder lines = pieces.next();
        if (lines == null) {
            counts.drop(1);
        } else {
            format.append(query, lines);
        }
    }

    /** Has written what was added, as far as the disk keeps up. */
    void handOver() {
        pieces.handOver();
    }

    /** Nothing is added any more: what the disk has not kept up with is dropped. */
    void giveUp() {
        counts.drop(pieces.forget());
    }

    /** Writes what there is, and looks whether the file was rotated by another. */
    void flush(long nowNanos) {
        if (nowNanos - refreshedNanos >= REFRESH_NANOS) {
            refreshedNanos = nowNanos;
            try {
                file.refresh();
            } catch (IOException e) {
                report.tell(e, counts.dropped());
            }
        }
        Pieces.Piece piece = pieces.take();
        while (piece != null) {
            write(piece);
            piece = pieces.take();
        }
    }

    private void write(Pieces.Piece piece) {
        try {
            file.write(piece.octets(), piece.octets().length);
            counts.write(piece.entries());
        } catch (IOException e) {
            counts.drop(piece.entries());
            report.tell(e, counts.dropped());
        }
    }

    void close() {
        flush(refreshedNanos);
        try {
            file.close();
        } catch (IOException e) {
            report.tell(e, counts.dropped());
        }
    }
}
