package io.ballast.dns.config.zone;

import io.ballast.core.Checks;
import io.ballast.core.net.Cidr;
import java.util.List;

/**
 * The clients that may send dynamic updates for a zone (<a href="https://datatracker.ietf.org/doc/html/rfc2136">RFC
 * 2136</a>).
 *
 * @param keys names of allowed keys in {@code dns.keys}; at least one
 * @param from networks of allowed clients; empty for all
 */
public record UpdateConfig(List<String> keys, List<Cidr> from) {

    public UpdateConfig {
        keys = List.copyOf(keys);
        from = List.copyOf(from);
        Checks.that(!keys.isEmpty(), "keys", keys, "at least one key");
    }
}
