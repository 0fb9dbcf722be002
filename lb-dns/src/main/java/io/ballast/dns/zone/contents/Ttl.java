package io.ballast.dns.zone.contents;

import java.time.Duration;
import org.xbill.DNS.SOARecord;

/** Converts durations to TTL values: whole seconds, at most 2^31 - 1. */
public final class Ttl {

    private Ttl() {}

    /**
     * Returns the TTL of negative answers: the minimum of the SOA field and the TTL of the SOA record (RFC 2308 section
     * 3).
     */
    public static int negative(SOARecord soa) {
        return (int) Math.min(soa.getTTL(), soa.getMinimum());
    }

    public static int seconds(Duration duration) {
        return (int) Math.min(duration.toSeconds(), Integer.MAX_VALUE);
    }
}
