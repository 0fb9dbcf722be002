package io.ballast.config.keys.http;

import io.ballast.config.key.Durations;
import io.ballast.config.key.Key;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.config.ListenerProtocol;
import io.ballast.http.config.SessionConfig;
import java.time.Duration;
import java.util.Optional;

/** The keys of {@code listeners[].session}, read before the protocol of the listener is known. */
record SessionKeys(Optional<Duration> idle, Optional<Duration> start) {

    static final SessionKeys NONE = new SessionKeys(Optional.empty(), Optional.empty());

    private static final ShapeBuilder<SessionKeys> KEYS =
            Shape.named("session", "Timeouts of sessions of a tcp or udp listener.");

    private static final Key<Duration> IDLE = KEYS.optional(
            "idle",
            Durations.DURATION,
            "maximum time without data in either direction; 1h by default with tcp, 30s with udp",
            SessionKeys::idle);
    private static final Key<Duration> START = KEYS.optional(
            "start",
            Durations.DURATION,
            "maximum time for the client's PROXY header, for the TLS handshake, and for the TLS"
                    + " ClientHello if routes need it; 10s by default; only with tcp",
            SessionKeys::start);

    static final Type<SessionKeys> SESSION =
            KEYS.build(values -> new SessionKeys(values.find(IDLE), values.find(START)));

    SessionConfig of(ListenerProtocol protocol) {
        SessionConfig defaults = SessionConfig.of(protocol);
        return new SessionConfig(idle.orElse(defaults.idle()), start.orElse(defaults.start()));
    }

    static Optional<SessionKeys> of(ListenerConfig listener) {
        boolean hasStart = listener.protocol() == ListenerProtocol.TCP;
        return listener.session()
                .map(session -> new SessionKeys(
                        Optional.of(session.idle()),
                        Optional.of(session.start()).filter(start -> hasStart)));
    }
}
