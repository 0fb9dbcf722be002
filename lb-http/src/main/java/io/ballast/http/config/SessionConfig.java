package io.ballast.http.config;

import io.ballast.core.Checks;
import java.time.Duration;

/**
 * How long the sessions of a listener may take that balances connections or datagrams.
 *
 * @param idle how long nothing may pass in either direction; then the session ends
 * @param start how long a client may take until it is known where its connection goes: for the PROXY header, for the TLS
 *     handshake if the listener ends TLS and, where routes ask for it, for the TLS ClientHello; each on its own, and then
 *     the connection is closed
 */
public record SessionConfig(Duration idle, Duration start) {

    public static final Duration DEFAULT_TCP_IDLE = Duration.ofHours(1);
    public static final Duration DEFAULT_UDP_IDLE = Duration.ofSeconds(30);
    public static final Duration DEFAULT_START = Duration.ofSeconds(10);

    public SessionConfig {
        Checks.positive(idle, "idle");
        Checks.positive(start, "start");
    }

    /** Returns the defaults of a protocol. */
    public static SessionConfig of(ListenerProtocol protocol) {
        return new SessionConfig(protocol == ListenerProtocol.UDP ? DEFAULT_UDP_IDLE : DEFAULT_TCP_IDLE, DEFAULT_START);
    }
}
