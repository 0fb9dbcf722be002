package io.ballast.dns.querylog;

import io.ballast.dns.config.DnsLogging;
import io.ballast.dns.config.DnsQueryLogConfig;
import org.jspecify.annotations.Nullable;

/**
 * The outputs of the query log in one configuration.
 *
 * @param file the log file; null if there is none
 * @param dnstap the dnstap output; null if there is none
 */
record LogOutputs(
        DnsLogging config,
        ClientAnonymizer clientAnonymizer,
        @Nullable QueryFile file,
        @Nullable Dnstap dnstap) {

    static final LogOutputs NONE = of(DnsLogging.DEFAULT, /* file= */ null, /* dnstap= */ null);

    static LogOutputs of(DnsLogging config, @Nullable QueryFile file, @Nullable Dnstap dnstap) {
        return new LogOutputs(config, new ClientAnonymizer(config.queryLog().clients()), file, dnstap);
    }

    /**
     * Whether {@code next} exposes less about queries than these outputs, so that queries in memory must be
     * discarded.
     */
    boolean revealsMoreThan(LogOutputs next) {
        DnsQueryLogConfig current = config.queryLog();
        DnsQueryLogConfig following = next.config.queryLog();
        return current.enabled() && (!following.enabled() || following.clients().compareTo(current.clients()) > 0);
    }

    /** Whether the file thread has work to do. */
    boolean hasFiles() {
        return file != null || dnstap != null;
    }

    /** Passes formatted lines to the file thread, unless its queue is full. */
    void enqueueLines() {
        if (file != null) {
            file.enqueueLines();
        }
    }

    /**
     * Called when the log's thread switches to {@code next}. The thread adds nothing more to outputs that
     * {@code next} does not use.
     */
    void abandonUnused(LogOutputs next) {
        if (file != null && file != next.file) {
            file.abandon();
        }
    }

    void flush(long nowNanos) {
        if (file != null) {
            file.flush(nowNanos);
        }
        if (dnstap != null) {
            dnstap.flush(nowNanos);
        }
    }

    /** Closes the outputs that {@code next} does not use. */
    void closeUnused(LogOutputs next) {
        if (file != null && file != next.file) {
            file.close();
        }
        if (dnstap != null && dnstap != next.dnstap) {
            dnstap.close();
        }
    }
}
