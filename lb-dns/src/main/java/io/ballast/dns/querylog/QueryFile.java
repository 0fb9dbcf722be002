package io.ballast.dns.querylog;

import io.ballast.core.config.DnsQueryLogConfig;
import io.ballast.core.log.LogTarget;
import io.ballast.core.log.RotatedFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The file of the query log. Confined to the log's thread once it is open. */
final class QueryFile {

    private static final int PIECE_CHARACTERS = 64 * 1024;
    private static final long REFRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LogTarget file;
    private final QueryLine format;
    private final LogCounts counts;
    private final FailureReport report;
    private final StringBuilder lines = new StringBuilder(PIECE_CHARACTERS + 1024);
    private int count;
    private long refreshedNanos = System.nanoTime();

    private QueryFile(Path path, LogTarget file, QueryLine format, LogCounts counts) {
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
            throw new IOException("dns.query_log.file: cannot write " + path + ": " + e, e);
        }
    }

    void add(AnsweredQuery query) {
        format.append(query, lines);
        count++;
    }

    /** Whether to flush before more is added. */
    boolean isFull() {
        return lines.length() >= PIECE_CHARACTERS;
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
        if (count > 0) {
            write();
        }
    }

    private void write() {
        byte[] octets = lines.toString().getBytes(StandardCharsets.US_ASCII);
        try {
            file.write(octets, octets.length);
            counts.write(count);
        } catch (IOException e) {
            counts.drop(count);
            report.tell(e, counts.dropped());
        }
        lines.setLength(0);
        count = 0;
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
