package io.ballast.http.config;

import io.ballast.core.Checks;

/**
 * Where a listener's requests, or its sessions, are logged, and how.
 *
 * @param to {@link #STDOUT}, {@link #STDERR}, or the path of a file, to which is appended
 * @param format how a request is written
 * @param queueBytes how much each event loop may be ahead of the disk; beyond it requests are not logged but counted
 */
public record AccessLogConfig(String to, Format format, int queueBytes) {

    public static final String STDOUT = "stdout";
    public static final String STDERR = "stderr";
    public static final int DEFAULT_QUEUE_BYTES = 1024 * 1024;
    public static final int MIN_QUEUE_BYTES = 64 * 1024;
    public static final int MAX_QUEUE_BYTES = 256 * 1024 * 1024;

    public AccessLogConfig {
        Checks.that(!to.isBlank(), "to", "''", "stdout, stderr or the path of a file");
        Checks.between(queueBytes, MIN_QUEUE_BYTES, MAX_QUEUE_BYTES, "queue");
    }

    /** How a request or a session is written. All but {@link #JSON} and {@link #TEXT} are for requests alone. */
    public enum Format {
        /** One JSON object per line with all fields. */
        JSON,
        /** The Common Log Format of the first web servers. */
        COMMON,
        /** The common format with referrer and user agent. */
        COMBINED,
        /** The combined format with version, cipher, server name and protocol of TLS. */
        COMBINED_TLS,
        /** A line for each session of TCP or UDP, after the model of HAProxy's {@code tcplog}. */
        TEXT
    }
}
