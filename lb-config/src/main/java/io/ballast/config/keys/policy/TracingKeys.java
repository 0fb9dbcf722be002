package io.ballast.config.keys.policy;

import io.ballast.config.key.BriefType;
import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Networks;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.core.net.Cidr;
import io.ballast.policy.config.TracingConfig;
import java.math.BigDecimal;
import java.util.List;

/** The keys of {@code policies.NAME.tracing}. */
final class TracingKeys {

    private static final int PERCENT_DIGITS = 4;

    private static final ShapeBuilder<TracingConfig> KEYS = Shape.named(
            "tracing",
            "Traces requests (W3C Trace Context): continues the traces of trusted clients, begins a trace for every"
                    + " other request, and sends recorded requests as spans to the collector in `otlp`.");

    /** The clients whose traces are continued: all clients, those in the networks, or no clients. */
    private record Trust(boolean all, List<Cidr> networks) {

        static final Trust NONE = new Trust(false, List.of());
        static final Trust ALL = new Trust(true, List.of());
    }

    private static final Type<Trust> TRUSTED = new BriefType<>(
            Scalars.BOOLEAN.map(all -> all ? Trust.ALL : Trust.NONE, Trust::all),
            ListType.atLeastOne(Networks.NETWORK).map(networks -> new Trust(false, networks), Trust::networks),
            trust -> trust.networks().isEmpty());

    private static final Key<Integer> SAMPLE = KEYS.optional(
            "sample",
            Scalars.matching("percent", "a share such as 5% or 0.1%, at most 100%", "([0-9]{1,2}(\\.[0-9]{1,4})?|100)%")
                    .map(TracingKeys::millionths, TracingKeys::percent),
            TracingConfig.DEFAULT_SAMPLE_MILLIONTHS,
            "share of requests that are recorded, unless the sampled flag of a trusted client decides",
            TracingConfig::sampleMillionths);
    private static final Key<Trust> TRUST = KEYS.optional(
            "trust",
            TRUSTED,
            Trust.NONE,
            "clients whose traces are continued: true for all, false for none, or networks; the trace of another client"
                    + " becomes a link of a new trace",
            config -> new Trust(config.trustsAll(), config.trusted()));
    private static final Key<Boolean> HONOR_SAMPLED = KEYS.optional(
            "honor_sampled",
            Scalars.BOOLEAN,
            /* fallback= */ true,
            "whether the sampled flag of trusted clients decides which of their requests are recorded; false: sample"
                    + " decides",
            TracingConfig::honorsSampled);
    private static final Key<Boolean> QUERY = KEYS.optional(
            "query",
            Scalars.BOOLEAN,
            /* fallback= */ false,
            "whether the query of the URL is recorded, which may contain secrets",
            TracingConfig::recordsQuery);

    static final Type<TracingConfig> TRACING = KEYS.build(TracingKeys::build);

    private TracingKeys() {}

    private static TracingConfig build(Values values) {
        Trust trust = values.get(TRUST);
        return new TracingConfig(
                values.get(SAMPLE), trust.all(), trust.networks(), values.get(HONOR_SAMPLED), values.get(QUERY));
    }

    private static Integer millionths(String percent) {
        return new BigDecimal(percent.substring(0, percent.length() - 1))
                .movePointRight(PERCENT_DIGITS)
                .intValueExact();
    }

    private static String percent(Integer millionths) {
        return BigDecimal.valueOf(millionths, PERCENT_DIGITS)
                        .stripTrailingZeros()
                        .toPlainString() + "%";
    }
}
