package io.ballast.http.config;

import io.ballast.core.Checks;
import java.time.Duration;

/**
 * The time limits of sessions on a listener that balances connections or datagrams.
 *
 * @param idle maximum time without data in either direction; when it expires, the session ends
 * @param start maximum time for each step before the destination of a connection is known; when it
 *     expires, the connection is closed. The steps are the PROXY header, the TLS handshake if the listener
 *     terminates TLS, and the TLS ClientHello if routes need it
 */
public record SessionConfig(Duration idle, Duration start) {

    public static final Duration DEFAULT_TCP_IDLE = Duration.ofHours(1);
    public static final Duration DEFAULT_UDP_IDLE = Duration.ofSeconds(30);
    public static final Duration DEFAULT_START = Duration.ofSeconds(10);

    public SessionConfig {
        Checks.positive(idle, "idle");
        Checks.positive(start, "start");
    }

    /** Returns the default time limits for sessions of a protocol. */
    public static SessionConfig of(ListenerProtocol protocol) {
        return new SessionConfig(protocol == ListenerProtocol.UDP ? DEFAULT_UDP_IDLE : DEFAULT_TCP_IDLE, DEFAULT_START);
    }
}
