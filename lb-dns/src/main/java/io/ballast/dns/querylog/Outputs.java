package io.ballast.dns.querylog;

import io.ballast.dns.config.DnsLogging;
import io.ballast.dns.config.DnsQueryLogConfig;
import org.jspecify.annotations.Nullable;

/**
 * Where queries go by one configuration.
 *
 * @param file null if none is written
 * @param dnstap null if none is written
 */
record Outputs(
        DnsLogging config,
        ClientPrivacy privacy,
        @Nullable QueryFile file,
        @Nullable Dnstap dnstap) {

    static final Outputs NONE = of(DnsLogging.DEFAULT, /* file= */ null, /* dnstap= */ null);

    static Outputs of(DnsLogging config, @Nullable QueryFile file, @Nullable Dnstap dnstap) {
        return new Outputs(config, new ClientPrivacy(config.queryLog().clients()), file, dnstap);
    }

    /** Whether by {@code next} less is told of queries than by this, so that what was told before must not stay. */
    boolean tellsMoreThan(Outputs next) {
        DnsQueryLogConfig present = config.queryLog();
        DnsQueryLogConfig then = next.config.queryLog();
        return present.enabled() && (!then.enabled() || then.clients().compareTo(present.clients()) > 0);
    }

    /** Whether there is anything to do for the thread that writes files. */
    boolean hasFiles() {
        return file != null || dnstap != null;
    }

    /** Has written what the log's thread has put together, as far as the disk keeps up. */
    void handOver() {
        if (file != null) {
            file.handOver();
        }
    }

    /** The log's thread goes on with the next: it adds to nothing else any more. */
    void giveUpTo(Outputs next) {
        if (file != null && file != next.file) {
            file.giveUp();
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

    /** Closes what the next does not go on with. */
    void leaveTo(Outputs next) {
        if (file != null && file != next.file) {
            file.close();
        }
        if (dnstap != null && dnstap != next.dnstap) {
            dnstap.close();
        }
    }
}
