package io.ballast.dns.update;

import io.ballast.core.net.CidrSet;
import io.ballast.dns.config.zone.UpdateConfig;
import io.ballast.dns.config.zone.ZoneConfig;
import io.ballast.dns.control.ControlRequest;
import io.ballast.dns.zone.contents.Names;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.xbill.DNS.Name;

/**
 * A zone that clients may update. Immutable, apart from its files.
 *
 * @param source the zone with the file from the configuration
 * @param config the zone as it is served, with the updated file
 * @param services names with health-based answers
 * @param isPrepared whether the configured file has changed. If so, its changes are merged into new files, which
 *     replace the current files after the commit
 */
record UpdatedZone(
        Name apex,
        ZoneConfig source,
        ZoneConfig config,
        boolean isSigned,
        Set<Name> services,
        CidrSet networks,
        List<Name> keys,
        DynamicZoneFiles files,
        boolean isPrepared) {

    static UpdatedZone of(
            ZoneConfig zone, ZoneConfig served, UpdateConfig clients, DynamicZoneFiles files, boolean isPrepared) {
        Name apex = Names.absolute(zone.name());
        Set<Name> services = zone.services().stream()
                .flatMap(service -> service.names().stream())
                .map(name -> Names.serviceName(name, apex))
                .collect(Collectors.toUnmodifiableSet());
        return new UpdatedZone(
                apex,
                zone,
                served,
                zone.dnssec().isPresent(),
                services,
                CidrSet.of(clients.from()),
                clients.keys().stream().map(Names::absolute).toList(),
                files,
                isPrepared);
    }

    /** The configured name of the zone. */
    String name() {
        return source.name();
    }

    /**
     * Returns whether a client may update the zone. If keys are configured, the client must sign with one of
     * them. If networks are configured, it must come from one of them.
     */
    boolean permits(ControlRequest request) {
        boolean network = networks.isEmpty() || networks.contains(request.client());
        return network && request.key().filter(keys::contains).isPresent();
    }
}
