package io.ballast.dns.zone;

import io.ballast.dns.config.zone.ServiceType;
import io.ballast.dns.zone.service.Cursors;
import io.ballast.dns.zone.service.Service;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.xbill.DNS.Name;

/**
 * The services of the zones that replace the active zones. An unchanged service shares the state that its
 * active predecessor has learned at run time, such as response times.
 *
 * @param all all services, in the order of the configuration
 * @param shared the services that continue with the state of an active service
 */
record NextServices(List<Service> all, Set<Service> shared) {

    NextServices {
        all = List.copyOf(all);
        shared = Set.copyOf(shared);
    }

    /** The identity of a service across reloads. */
    private record Identity(Name name, ServiceType type) {}

    /** Returns the services of the first zones after the process start; there are no active zones to replace. */
    static NextServices first(LoadedZones read, ZoneInputs inputs, Cursors cursors) {
        return of(read, inputs, cursors, Map.of());
    }

    /**
     * Returns the services of the zones that replace the active zones.
     *
     * @param active the active services
     * @param inputs the client regions and the pools that the active services use
     */
    static NextServices after(
            List<Service> active, ZoneInputs inputs, LoadedZones nextRead, ZoneInputs next, Cursors cursors) {
        Map<Identity, Service> lasting = new HashMap<>();
        for (Service service : active) {
            if (isOnSamePools(service, inputs, next)) {
                lasting.put(new Identity(service.name(), service.config().type()), service);
            }
        }
        Map<LoadedZones.NamedService, Service> kept = new HashMap<>();
        for (LoadedZones.NamedService each : nextRead.services()) {
            Service known = lasting.get(new Identity(each.name(), each.config().type()));
            if (known != null && known.config().equals(each.config()) && hasSameRegions(known, inputs, next)) {
                cursors.reserve(known);
                kept.put(each, known.withNames(each.names(), next.regions()));
            }
        }
        return of(nextRead, next, cursors, kept);
    }

    private static NextServices of(
            LoadedZones read, ZoneInputs inputs, Cursors cursors, Map<LoadedZones.NamedService, Service> kept) {
        List<Service> all = new ArrayList<>();
        for (LoadedZones.NamedService each : read.services()) {
            Service service = kept.get(each);
            all.add(
                    service != null
                            ? service
                            : new Service(each.config(), each.names(), each.apex(), cursors, inputs.regions()));
        }
        return new NextServices(all, Set.copyOf(kept.values()));
    }

    /** Returns whether the pools of a service are the same objects in both inputs. */
    static boolean isOnSamePools(Service service, ZoneInputs inputs, ZoneInputs next) {
        return service.pools().stream()
                .allMatch(pool -> inputs.topology().pools().get(pool)
                        == next.topology().pools().get(pool));
    }

    private static boolean hasSameRegions(Service service, ZoneInputs inputs, ZoneInputs next) {
        return !service.usesRegions() || inputs.regions() == next.regions();
    }
}
