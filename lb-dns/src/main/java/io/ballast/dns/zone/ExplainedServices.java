package io.ballast.dns.zone;

import io.ballast.core.geo.GeoSource;
import io.ballast.core.geo.RegionTable;
import io.ballast.core.net.IpAddress;
import io.ballast.dns.explain.ExplainedService;
import io.ballast.dns.explain.Explanation;
import io.ballast.dns.learn.RoundTripTimes;
import io.ballast.dns.zone.contents.Names;
import io.ballast.dns.zone.service.ExplainedClient;
import io.ballast.dns.zone.service.Service;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Explains the answers of services. Thread safety: any thread may call it. The caller waits for the
 * executor that compiles services.
 */
final class ExplainedServices {

    private final Services services;
    private final Executor compiler;
    private final RoundTripTimes roundTripTimes;

    ExplainedServices(Services services, Executor compiler, RoundTripTimes learned) {
        this.services = services;
        this.compiler = compiler;
        this.roundTripTimes = learned;
    }

    /** See {@link CompiledZones#explain}. */
    Explanation explain(String name, int type, Optional<IpAddress> from, ZoneInputs inputs) throws IOException {
        Service service = services.find(Names.absolute(name), type);
        ExplainedClient who = new ExplainedClient(from.orElse(null), region(from, inputs));
        String client = client(from, inputs);
        return CompletableFuture.supplyAsync(
                        () -> service.explain(type, client, who, inputs.poolView(roundTripTimes)), compiler)
                .join();
    }

    /** Returns the services in the order of the configuration. */
    List<ExplainedService> services() {
        return services.all().stream()
                .map(service -> new ExplainedService(Services.ownName(service), service.explainedTypes()))
                .toList();
    }

    private static int region(Optional<IpAddress> from, ZoneInputs inputs) {
        Optional<GeoSource> geo = inputs.geo();
        if (geo.isEmpty()) {
            return 0;
        }
        return from.map(address -> RegionTable.region(geo.get().current().find(address.bytes())))
                .orElse(geo.get().regions().defaultRegion());
    }

    private static String client(Optional<IpAddress> from, ZoneInputs inputs) throws IOException {
        String who = from.map(IpAddress::toString).orElse("an unspecified client");
        if (from.isEmpty() || inputs.geo().isEmpty()) {
            return who;
        }
        return who + ", region " + inputs.geo().get().explain(from.get());
    }
}
