package io.ballast.config.keys.http;

import static io.ballast.http.config.MinimumRate.DEFAULT;

import io.ballast.config.key.Durations;
import io.ballast.config.key.Key;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Sizes;
import io.ballast.config.key.Type;
import io.ballast.http.config.MinimumRate;
import java.time.Duration;

/** The keys of {@code listeners[].deadlines.minimum_rate}. */
final class MinimumRateKeys {

    private static final int MAX_PER_SECOND = 1024 * 1024 * 1024;

    private static final ShapeBuilder<MinimumRate> KEYS =
            Shape.named("minimum_rate", "Minimum average transfer rate of a client.");

    private static final Key<Integer> REQUEST_BODY = KEYS.optional(
            "request_body",
            Sizes.between(0, MAX_PER_SECOND),
            DEFAULT.requestBodyBytes(),
            "bytes per second of a request body, measured until a response begins; below it 408; 0B for no limit",
            MinimumRate::requestBodyBytes);
    private static final Key<Integer> RESPONSE = KEYS.optional(
            "response",
            Sizes.between(0, MAX_PER_SECOND),
            DEFAULT.responseBytes(),
            "bytes per second of a response, measured while data is waiting for the client; below it the"
                    + " connection, or the HTTP/2 stream, is closed; 0B for no limit",
            MinimumRate::responseBytes);
    private static final Key<Duration> GRACE = KEYS.optional(
            "grace",
            Durations.DURATION,
            DEFAULT.grace(),
            "initial time during which a client may be slower",
            MinimumRate::grace);

    static final Type<MinimumRate> MINIMUM_RATE =
            KEYS.build(values -> new MinimumRate(values.get(REQUEST_BODY), values.get(RESPONSE), values.get(GRACE)));

    private MinimumRateKeys() {}
}
