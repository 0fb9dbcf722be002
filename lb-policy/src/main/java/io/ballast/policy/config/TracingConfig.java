package io.ballast.policy.config;

import io.ballast.core.Checks;
import io.ballast.core.net.Cidr;
import java.util.List;

/**
 * Traces requests (W3C Trace Context).
 *
 * @param sampleMillionths the share of requests that are recorded, in millionths
 * @param trustsAll whether the traces of all clients are continued
 * @param trusted the networks of clients whose traces are continued
 * @param honorsSampled whether requests of trusted clients are recorded according to their sampled flag; otherwise, the
 *     share applies to these requests too
 * @param recordsQuery whether the query of a request is recorded
 */
public record TracingConfig(
        int sampleMillionths, boolean trustsAll, List<Cidr> trusted, boolean honorsSampled, boolean recordsQuery)
        implements PolicyRule {

    public static final int ALL = 1_000_000;
    public static final int DEFAULT_SAMPLE_MILLIONTHS = 10_000;

    public TracingConfig {
        Checks.between(sampleMillionths, 0, ALL, "sample");
        trusted = List.copyOf(trusted);
    }

    @Override
    public String kind() {
        return "tracing";
    }
}
