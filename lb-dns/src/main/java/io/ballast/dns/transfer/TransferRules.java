package io.ballast.dns.transfer;

import io.ballast.core.net.CidrSet;
import io.ballast.dns.config.zone.TransferConfig;
import io.ballast.dns.control.ControlRequest;
import io.ballast.dns.zone.contents.Names;
import java.util.List;
import org.xbill.DNS.Name;

/** The rules that determine which servers may transfer a zone. Immutable. */
final class TransferRules {

    private final CidrSet networks;
    private final List<Name> keys;

    TransferRules(TransferConfig config) {
        this.networks = CidrSet.of(config.to());
        this.keys = config.keys().stream().map(Names::absolute).toList();
    }

    /** Returns whether the client of a request matches the configured networks and keys. */
    boolean permits(ControlRequest request) {
        boolean network = networks.isEmpty() || networks.contains(request.client());
        boolean key = keys.isEmpty() || request.key().filter(keys::contains).isPresent();
        return network && key;
    }
}
