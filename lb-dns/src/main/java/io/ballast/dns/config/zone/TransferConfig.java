package io.ballast.dns.config.zone;

import io.ballast.core.Checks;
import io.ballast.core.config.HostPort;
import io.ballast.core.net.Cidr;
import java.util.List;
import java.util.Optional;

/**
 * The servers that may transfer a zone, and the servers that are notified of changes. If both networks and
 * keys are given, a server must match both.
 *
 * @param to networks of allowed servers; empty for all
 * @param keys names of allowed keys; empty if requests need no signature
 * @param notified addresses and ports of the notified servers
 * @param notifyKey name of the key that signs notifications; absent for unsigned notifications
 */
public record TransferConfig(List<Cidr> to, List<String> keys, List<HostPort> notified, Optional<String> notifyKey) {

    /** The default port of notifications. */
    public static final int NOTIFY_PORT = 53;

    public TransferConfig {
        to = List.copyOf(to);
        keys = List.copyOf(keys);
        notified = List.copyOf(notified);
        Checks.that(!to.isEmpty() || !keys.isEmpty(), "transfer", "unrestricted", "networks, keys, or both");
    }
}
