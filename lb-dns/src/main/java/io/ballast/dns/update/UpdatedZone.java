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
 * A zone that clients may change, as it is configured. Immutable, apart from its files.
 *
 * @param source the zone as it is configured, with its own file
 * @param config the zone as it is served, with the file that messages have changed
 * @param services names that are answered by health
 * @param isPrepared whether its file has changed and the merged version waits for the commit
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
                .map(name -> Names.ofService(name, apex))
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

    /** The name of the zone, as it is configured. */
    String name() {
        return source.name();
    }

    /** Whether a client may change it: it signs with one of the keys, and comes from one of the networks if there are any. */
    boolean permits(ControlRequest request) {
        boolean network = networks.isEmpty() || networks.contains(request.client());
        return network && request.key().filter(keys::contains).isPresent();
    }
}
