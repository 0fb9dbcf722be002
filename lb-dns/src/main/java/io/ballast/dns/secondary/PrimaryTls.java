package io.ballast.dns.secondary;

import io.ballast.core.ErrorText;
import io.ballast.core.config.BackendTls;
import io.ballast.dns.config.zone.SecondaryConfig;
import io.ballast.dns.config.zone.ZoneConfig;
import io.ballast.net.tls.SocketTls;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The TLS contexts of connections to primaries, indexed by their TLS settings. The set of contexts is
 * immutable, but a context reads its certificate files again when they change.
 */
final class PrimaryTls {

    /** The ALPN protocol of DNS over TLS, which also applies to transfers (RFC 9103 section 7.1). */
    private static final List<String> APPLICATION_PROTOCOLS = List.of("dot");

    static final PrimaryTls NONE = new PrimaryTls(Map.of());

    private final Map<BackendTls, SocketTls> contexts;

    private PrimaryTls(Map<BackendTls, SocketTls> contexts) {
        this.contexts = Map.copyOf(contexts);
    }

    /**
     * Returns the TLS contexts for the primaries of the given zones. Reuses existing contexts with the same
     * settings, and opens contexts for all new settings.
     *
     * @throws IOException if a file cannot be used; the message names the zone and the file
     */
    PrimaryTls next(List<ZoneConfig> zones) throws IOException {
        Map<BackendTls, SocketTls> next = new HashMap<>();
        for (ZoneConfig zone : zones) {
            Optional<BackendTls> tls = zone.secondary().flatMap(SecondaryConfig::tls);
            if (tls.isPresent() && !next.containsKey(tls.get())) {
                Optional<SocketTls> known = find(tls.get());
                next.put(tls.get(), known.isPresent() ? known.get() : open(zone, tls.get()));
            }
        }
        return new PrimaryTls(next);
    }

    private static SocketTls open(ZoneConfig zone, BackendTls tls) throws IOException {
        try {
            return SocketTls.open(tls, APPLICATION_PROTOCOLS);
        } catch (IOException e) {
            throw new IOException("zone " + zone.name() + ": secondary.tls: " + ErrorText.of(e), e);
        }
    }

    /** Returns the TLS context; empty if no zone of the configuration uses these settings. */
    Optional<SocketTls> find(BackendTls tls) {
        return Optional.ofNullable(contexts.get(tls));
    }
}
