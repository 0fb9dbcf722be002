package io.ballast.http.config;

import io.ballast.core.Checks;
import java.time.Duration;

/**
 * How long a client may take. Deadlines are checked by a coarse clock: each may be late by up to a quarter of a second.
 *
 * @param requestHead from the first byte of a request to the end of its head; then 408 and close
 * @param requestBodyIdle between two reads of a request body; then 408 if no response began, and close
 * @param responseIdle between two writes that the client accepts; then close
 * @param keepAlive between two requests of one connection; then close
 * @param exchange from the end of a request's head to the end of its response, if a backend serves it; then 504, or cut
 *     if a response began; zero for no deadline
 * @param minimumRate how fast a client must be on average; then 408 if it is sending, and close
 * @param tunnelIdle how long nothing may pass through a tunnel, in either direction, after a switch of protocols; then
 *     both connections are reset. In a tunnel no other deadline applies.
 */
public record ClientDeadlines(
        Duration requestHead,
        Duration requestBodyIdle,
        Duration responseIdle,
        Duration keepAlive,
        Duration exchange,
        MinimumRate minimumRate,
        Duration tunnelIdle) {

    public static final Duration DEFAULT_TUNNEL_IDLE = Duration.ofHours(1);
    public static final ClientDeadlines DEFAULT = new ClientDeadlines(
            Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(60), Duration.ofSeconds(75));

    public ClientDeadlines {
        Checks.positive(requestHead, "request_head");
        Checks.positive(requestBodyIdle, "request_body_idle");
        Checks.positive(responseIdle, "response_idle");
        Checks.positive(keepAlive, "keep_alive");
        Checks.that(!exchange.isNegative(), "exchange", exchange, ">= 0");
        Checks.positive(tunnelIdle, "tunnel_idle");
    }

    /** No deadline for an exchange as a whole, and the default rate and deadline of tunnels. */
    public ClientDeadlines(Duration requestHead, Duration requestBodyIdle, Duration responseIdle, Duration keepAlive) {
        this(
                requestHead,
                requestBodyIdle,
                responseIdle,
                keepAlive,
                Duration.ZERO,
                MinimumRate.DEFAULT,
                DEFAULT_TUNNEL_IDLE);
    }
}
