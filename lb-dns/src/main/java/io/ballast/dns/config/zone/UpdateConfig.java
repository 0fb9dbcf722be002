package io.ballast.dns.config.zone;

import io.ballast.core.Checks;
import io.ballast.core.net.Cidr;
import java.util.List;

/**
 * Who may change a zone by messages (<a href="https://datatracker.ietf.org/doc/html/rfc2136">RFC 2136</a>).
 *
 * @param keys names of keys in {@code dns.keys}, of which such a client signs with one; at least one
 * @param from networks of such clients; none for any network
 */
public record UpdateConfig(List<String> keys, List<Cidr> from) {

    public UpdateConfig {
        keys = List.copyOf(keys);
        from = List.copyOf(from);
        Checks.that(!keys.isEmpty(), "keys", keys, "at least one key");
    }
}
