package io.ballast.http.config;

import io.ballast.core.Checks;
import java.time.Duration;

/**
 * The time limits of a client. A coarse clock checks them, so each may take effect up to a quarter of a
 * second late.
 *
 * @param requestHead from the first byte of a request to the end of its head; if exceeded, the client gets
 *     408 and its connection is closed
 * @param requestBodyIdle between two reads of a request body; if exceeded, the client gets 408 unless a
 *     response has begun, and its connection is closed
 * @param responseIdle between two writes that the client accepts; if exceeded, its connection is closed
 * @param keepAlive between two requests of one connection; if exceeded, the connection is closed
 * @param exchange from the end of a request's head to the end of its response, if a backend serves it; if
 *     exceeded, the client gets 504, or a response that has begun is cut off; zero for no deadline
 * @param minimumRate minimum average rate of a client; a client below it gets 408 if it is sending, and its
 *     connection is closed
 * @param tunnelIdle maximum time without data in either direction of a tunnel, after a protocol switch; if
 *     exceeded, both connections are reset. No other deadline applies to a tunnel.
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

    /** Creates deadlines without a limit for the whole exchange, with the default rate and tunnel deadline. */
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
