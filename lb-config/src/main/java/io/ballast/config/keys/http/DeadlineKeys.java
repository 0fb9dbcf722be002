package io.ballast.config.keys.http;

import static io.ballast.http.config.ClientDeadlines.DEFAULT;

import io.ballast.config.key.Durations;
import io.ballast.config.key.Key;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.config.MinimumRate;
import java.time.Duration;

/** The keys of {@code listeners[].deadlines}. */
final class DeadlineKeys {

    private static final ShapeBuilder<ClientDeadlines> KEYS = Shape.named("deadlines", "Timeouts for clients.");

    private static final Key<Duration> REQUEST_HEAD = KEYS.optional(
            "request_head",
            Durations.DURATION,
            DEFAULT.requestHead(),
            "maximum time from the first byte of a request to the end of its head; then 408",
            ClientDeadlines::requestHead);
    private static final Key<Duration> REQUEST_BODY_IDLE = KEYS.optional(
            "request_body_idle",
            Durations.DURATION,
            DEFAULT.requestBodyIdle(),
            "maximum time between two reads of a request body; then 408",
            ClientDeadlines::requestBodyIdle);
    private static final Key<Duration> RESPONSE_IDLE = KEYS.optional(
            "response_idle",
            Durations.DURATION,
            DEFAULT.responseIdle(),
            "maximum time between two writes that the client accepts; then the connection, or the HTTP/2 stream, is closed",
            ClientDeadlines::responseIdle);
    private static final Key<Duration> KEEP_ALIVE = KEYS.optional(
            "keep_alive",
            Durations.DURATION,
            DEFAULT.keepAlive(),
            "maximum time between two requests on one connection; then it is closed",
            ClientDeadlines::keepAlive);
    private static final Key<Duration> EXCHANGE = KEYS.optional(
            "exchange",
            Durations.DURATION,
            DEFAULT.exchange(),
            "maximum time from the end of a request's head to the end of its response; then 504, or the response is"
                    + " cut off if it has begun; 0s for no limit",
            ClientDeadlines::exchange);
    private static final Key<MinimumRate> MINIMUM_RATE = KEYS.optional(
            "minimum_rate",
            MinimumRateKeys.MINIMUM_RATE,
            DEFAULT.minimumRate(),
            "minimum average rate at which a client must send and read",
            ClientDeadlines::minimumRate);

    private static final Key<Duration> TUNNEL_IDLE = KEYS.optional(
            "tunnel_idle",
            Durations.DURATION,
            DEFAULT.tunnelIdle(),
            "maximum time without data in either direction of a tunnel (WebSocket); then both connections are reset",
            ClientDeadlines::tunnelIdle);

    static final Type<ClientDeadlines> DEADLINES = KEYS.build(values -> new ClientDeadlines(
            values.get(REQUEST_HEAD),
            values.get(REQUEST_BODY_IDLE),
            values.get(RESPONSE_IDLE),
            values.get(KEEP_ALIVE),
            values.get(EXCHANGE),
            values.get(MINIMUM_RATE),
            values.get(TUNNEL_IDLE)));

    private DeadlineKeys() {}
}
