package io.ballast.http.header;

import io.ballast.core.config.HostPort;
import io.ballast.core.config.header.HeaderChanges;
import io.ballast.core.config.header.HeaderField;
import io.ballast.core.config.header.HeaderRules;
import io.ballast.core.config.header.HeaderValue;
import io.ballast.http.config.ListenerConfig;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The {@code Alt-Svc} header (RFC 7838), which tells clients that a listener serves HTTP/3. Stateless. */
final class AltSvc {

    /** The time for which clients remember the header. */
    private static final Duration MAX_AGE = Duration.ofDays(1);

    private AltSvc() {}

    /**
     * Returns the rules that set the header in responses; empty if the listener has no HTTP/3, or if the system chooses its
     * port. Later rules may change the header.
     */
    static Optional<HeaderRules> rules(ListenerConfig listener) {
        if (!listener.http3() || !(listener.bind() instanceof HostPort bind) || bind.port() == 0) {
            return Optional.empty();
        }
        String value = "h3=\":" + bind.port() + "\"; ma=" + MAX_AGE.toSeconds();
        HeaderField field = new HeaderField("Alt-Svc", HeaderValue.parse(value));
        return Optional.of(
                new HeaderRules(HeaderChanges.NONE, new HeaderChanges(List.of(field), List.of(), List.of())));
    }
}
