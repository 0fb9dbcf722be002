package io.ballast.dns.querylog;

import io.ballast.core.config.DnsLogging;
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

    /** Whether to flush before more is added. */
    boolean isFull() {
        return (file != null && file.isFull()) || (dnstap != null && dnstap.isFull());
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
