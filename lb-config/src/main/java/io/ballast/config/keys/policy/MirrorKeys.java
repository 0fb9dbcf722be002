package io.ballast.config.keys.policy;

import io.ballast.config.key.Durations;
import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Sizes;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.NameReference;
import io.ballast.core.Checks;
import io.ballast.policy.config.MirrorConfig;
import java.math.BigDecimal;
import java.time.Duration;

/** The keys of {@code policies.NAME.mirror}. */
final class MirrorKeys {

    /** A share in hundredths of a percent. */
    private static final Type<Integer> SHARE = Scalars.matching(
                    "share", "a share such as 10% or 0.5%, at most 100%", "([0-9]{1,2}(\\.[0-9]{1,2})?|100)%")
            .map(MirrorKeys::parseShare, MirrorKeys::printShare);

    private static final Type<Duration> TIME = Durations.DURATION.map(MirrorKeys::requireInRange, time -> time);

    private static final ShapeBuilder<MirrorConfig> KEYS = Shape.named(
            "mirror",
            "Sends a copy of a share of the requests to another pool, and discards its responses. Clients do not notice"
                    + " the mirror, even if it fails or does not respond. Mirrored requests have the header"
                    + " X-Mirrored-Request: true.");

    private static final Key<String> POOL = KEYS.required(
            "pool",
            NameReference.POOL,
            "pool that gets the copies; no request to which the policy applies may go to this pool",
            MirrorConfig::pool);
    private static final Key<Integer> SHARE_OF_REQUESTS = KEYS.optional(
            "share", SHARE, MirrorConfig.MAX_SHARE, "share of the requests to mirror", MirrorConfig::share);
    private static final Key<Integer> MAX_BODY = KEYS.optional(
            "max_body",
            Sizes.between(0, MirrorConfig.MAX_MAX_BODY_BYTES),
            MirrorConfig.DEFAULT_MAX_BODY_BYTES,
            "requests with a longer body are not mirrored",
            MirrorConfig::maxBodyBytes);
    private static final Key<Integer> MAX_IN_FLIGHT = KEYS.optional(
            "max_in_flight",
            Scalars.integer(1, MirrorConfig.MAX_MAX_IN_FLIGHT),
            MirrorConfig.DEFAULT_MAX_IN_FLIGHT,
            "maximum number of mirrored requests at the same time; further requests are not mirrored; max_body times"
                    + " max_in_flight may be at most 256MiB",
            MirrorConfig::maxInFlight);
    private static final Key<Duration> TIMEOUT = KEYS.optional(
            "timeout",
            TIME,
            MirrorConfig.DEFAULT_TIMEOUT,
            "time until the response to a mirrored request must be complete, at most 5m",
            MirrorConfig::timeout);

    static final Type<MirrorConfig> MIRROR = KEYS.build(MirrorKeys::build);

    private MirrorKeys() {}

    private static Integer parseShare(String text) {
        return new BigDecimal(text.substring(0, text.length() - 1))
                .movePointRight(2)
                .intValueExact();
    }

    private static String printShare(Integer share) {
        return BigDecimal.valueOf(share, /* scale= */ 2).stripTrailingZeros().toPlainString() + "%";
    }

    private static Duration requireInRange(Duration time) {
        boolean isInRange = !time.isZero() && time.compareTo(MirrorConfig.MAX_TIMEOUT) <= 0;
        Checks.that(isInRange, "duration", time, "> 0s and <= 5m");
        return time;
    }

    private static MirrorConfig build(Values values) {
        int bodyBytes = values.get(MAX_BODY);
        int inFlight = values.get(MAX_IN_FLIGHT);
        long memory = (long) bodyBytes * inFlight;
        if (memory > MirrorConfig.MAX_MEMORY_BYTES && !values.isInvalid(MAX_BODY) && !values.isInvalid(MAX_IN_FLIGHT)) {
            Key<?> cause = values.has(MAX_BODY) ? MAX_BODY : MAX_IN_FLIGHT;
            values.reading()
                    .mismatch(values.node(cause), "at most 256MiB as max_body times max_in_flight (" + inFlight + ")");
        }
        return new MirrorConfig(
                values.get(POOL), values.get(SHARE_OF_REQUESTS), bodyBytes, inFlight, values.get(TIMEOUT));
    }
}
