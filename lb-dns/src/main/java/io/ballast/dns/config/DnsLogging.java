package io.ballast.dns.config;

import java.util.Optional;

/**
 * The logs of individual queries.
 *
 * @param dnstap the dnstap output; absent for none
 */
public record DnsLogging(DnsQueryLogConfig queryLog, Optional<DnstapConfig> dnstap) {

    public static final DnsLogging DEFAULT = new DnsLogging(DnsQueryLogConfig.DEFAULT, Optional.empty());
}
