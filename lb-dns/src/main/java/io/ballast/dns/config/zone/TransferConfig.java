package io.ballast.dns.config.zone;

import io.ballast.core.Checks;
import io.ballast.core.config.HostPort;
import io.ballast.core.net.Cidr;
import java.util.List;
import java.util.Optional;

/**
 * Which other servers may have a zone as a whole, and which of them are told when it changes. A server has to satisfy what is given of
 * networks and keys: both, if both are.
 *
 * @param to networks of such servers; none for any network
 * @param keys names of keys, of which such a server signs with one; none if it need not sign
 * @param notified addresses of servers that are told of changes, each an IP address with a port
 * @param notifyKey name of the key by which they are told, absent to tell them unsigned
 */
public record TransferConfig(List<Cidr> to, List<String> keys, List<HostPort> notified, Optional<String> notifyKey) {

    /** Where servers are told of changes. */
    public static final int NOTIFY_PORT = 53;

    public TransferConfig {
        to = List.copyOf(to);
        keys = List.copyOf(keys);
        notified = List.copyOf(notified);
        Checks.that(!to.isEmpty() || !keys.isEmpty(), "transfer", "to anybody", "networks, keys, or both");
    }
}
