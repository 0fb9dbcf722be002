package io.ballast.dns.config;

import java.util.Optional;

/**
 * What is told of single queries of the DNS frontend.
 *
 * @param dnstap absent to write none
 */
public record DnsLogging(DnsQueryLogConfig queryLog, Optional<DnstapConfig> dnstap) {

    public static final DnsLogging DEFAULT = new DnsLogging(DnsQueryLogConfig.DEFAULT, Optional.empty());
}
