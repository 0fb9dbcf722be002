package io.ballast.net.tls;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Selects the certificate for a client. Certificates with the exact host come first, then those with a
 * matching wildcard, which stands for one label. Certificates that are expired or not yet valid come last.
 * The client gets the first certificate that it can verify, so that one host may have RSA and ECDSA
 * certificates. A client without SNI, or with an unknown host, gets the first certificate of the
 * configuration that is currently valid, or another one for the same hosts.
 *
 * <p>Immutable. Cost: two to four hash lookups.
 */
final class SniTable {

    private static final String WILDCARD = "*.";

    private final Names valid = new Names();
    private final Names expired = new Names();
    private final List<TlsContext> anyHost;

    /** @param contexts contexts in order of preference; at least one */
    SniTable(List<TlsContext> contexts) {
        List<TlsContext> ordered = new ArrayList<>();
        contexts.stream().filter(context -> !context.isOutOfDate()).forEach(ordered::add);
        contexts.stream().filter(TlsContext::isOutOfDate).forEach(ordered::add);
        List<String> hosts = hosts(ordered.get(0));
        this.anyHost = ordered.stream()
                .filter(context -> context == ordered.get(0) || hosts(context).equals(hosts))
                .toList();
        for (TlsContext context : ordered) {
            (context.isOutOfDate() ? expired : valid).add(context);
        }
    }

    private static List<String> hosts(TlsContext context) {
        return SubjectAltNames.hosts(context.identity().certificate());
    }

    /**
     * Returns the context for a client.
     *
     * @param offer the data from the ClientHello of the client; null if unknown
     */
    TlsContext find(@Nullable ClientHelloOffer offer) {
        String host = offer == null ? null : offer.host();
        if (offer == null) {
            return anyHost.get(0);
        }
        TlsContext found = null;
        if (host != null) {
            String parent = parent(host);
            found = better(found, valid.exact.get(host), offer);
            found = better(found, valid.wildcards.get(parent), offer);
            found = better(found, expired.exact.get(host), offer);
            found = better(found, expired.wildcards.get(parent), offer);
        }
        return found == null ? choose(anyHost, offer) : found;
    }

    /** Whether a certificate is valid for the host, even if it has expired. */
    boolean covers(String host) {
        String parent = parent(host);
        return valid.exact.containsKey(host)
                || valid.wildcards.containsKey(parent)
                || expired.exact.containsKey(host)
                || expired.wildcards.containsKey(parent);
    }

    /** The key of a wildcard for the host: the host without its first label. */
    private static String parent(String host) {
        int dot = host.indexOf('.');
        return dot > 0 ? host.substring(dot) : "";
    }

    private static @Nullable TlsContext better(
            @Nullable TlsContext found, @Nullable List<TlsContext> next, ClientHelloOffer offer) {
        if (next == null || (found != null && found.isVerifiedBy(offer))) {
            return found;
        }
        TlsContext chosen = choose(next, offer);
        return found == null || chosen.isVerifiedBy(offer) ? chosen : found;
    }

    private static TlsContext choose(List<TlsContext> contexts, ClientHelloOffer offer) {
        for (TlsContext context : contexts) {
            if (context.isVerifiedBy(offer)) {
                return context;
            }
        }
        return contexts.get(0);
    }

    private static final class Names {

        private final Map<String, List<TlsContext>> exact = new HashMap<>();
        private final Map<String, List<TlsContext>> wildcards = new HashMap<>();

        void add(TlsContext context) {
            for (String name : hosts(context)) {
                boolean wild = name.startsWith(WILDCARD);
                (wild ? wildcards : exact)
                        .computeIfAbsent(wild ? name.substring(1) : name, key -> new ArrayList<>())
                        .add(context);
            }
        }
    }
}
