package io.ballast.http.config;

import io.ballast.core.Checks;
import java.util.Optional;

/**
 * The access log of a listener's requests or sessions.
 *
 * @param to {@link #STDOUT}, {@link #STDERR}, or the path of a file to append to; ignored if {@code syslog} is present
 * @param format the format of a request or session in the log
 * @param queueBytes maximum number of bytes that each event loop queues for the disk; while the queue is
 *     full, requests are counted instead of logged
 * @param syslog the syslog server that gets the entries, if any
 */
public record AccessLogConfig(String to, Format format, int queueBytes, Optional<SyslogConfig> syslog) {

    public static final String STDOUT = "stdout";
    public static final String STDERR = "stderr";
    public static final int DEFAULT_QUEUE_BYTES = 1024 * 1024;
    public static final int MIN_QUEUE_BYTES = 64 * 1024;
    public static final int MAX_QUEUE_BYTES = 256 * 1024 * 1024;

    public AccessLogConfig {
        Checks.that(!to.isBlank(), "to", "''", "stdout, stderr or the path of a file");
        Checks.between(queueBytes, MIN_QUEUE_BYTES, MAX_QUEUE_BYTES, "queue");
    }

    /** Creates the configuration of a log that is a stream or a file. */
    public AccessLogConfig(String to, Format format, int queueBytes) {
        this(to, format, queueBytes, /* syslog= */ Optional.empty());
    }

    /** Whether the entries of both logs go to the same stream, file or server. */
    public boolean hasSameTarget(AccessLogConfig other) {
        return syslog.equals(other.syslog) && (syslog.isPresent() || to.equals(other.to));
    }

    /**
     * The format of a request or session in the log. All formats except {@link #JSON} and {@link #TEXT} apply
     * only to requests.
     */
    public enum Format {
        /** One JSON object per line with all fields. */
        JSON,
        /** The Common Log Format (NCSA). */
        COMMON,
        /** The Common Log Format, followed by referrer and user agent. */
        COMBINED,
        /** The combined format, followed by the TLS version, cipher, server name and ALPN protocol. */
        COMBINED_TLS,
        /** A line for each session of TCP or UDP, similar to HAProxy's {@code tcplog}. */
        TEXT
    }
}
