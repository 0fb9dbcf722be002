package io.ballast.net.tls;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which of several identities is for which host: the first made out for exactly that name, else the first with a wildcard
 * for it, which stands for one label, else the first of all. Immutable. Cost: one or two lookups by hash.
 */
final class SniTable {

    private static final String WILDCARD = "*.";

    private final Map<String, TlsContext> exact = new HashMap<>();
    private final Map<String, TlsContext> wildcards = new HashMap<>();
    private final TlsContext first;

    /** @param contexts in their order of preference; at least one */
    SniTable(List<TlsContext> contexts) {
        this.first = contexts.get(0);
        for (TlsContext context : contexts) {
            for (String name : CertificateNames.hosts(context.identity().certificate())) {
                if (name.startsWith(WILDCARD)) {
                    wildcards.putIfAbsent(name.substring(1), context);
                } else {
                    exact.putIfAbsent(name, context);
                }
            }
        }
    }

    /** @param host in lower case; null if the client asked for none */
    TlsContext find(@Nullable String host) {
        if (host == null) {
            return first;
        }
        TlsContext found = exact.get(host);
        int dot = host.indexOf('.');
        if (found == null && dot > 0) {
            found = wildcards.get(host.substring(dot));
        }
        return found == null ? first : found;
    }
}
