package io.ballast.server;

import io.ballast.core.control.ControlPlane;
import io.ballast.core.net.IpAddress;
import io.ballast.dashboard.DnsServices;
import io.ballast.dns.answer.AddressFamily;
import io.ballast.dns.learn.Sample;
import io.ballast.dns.zone.CompiledZones;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The services of the DNS frontend, as the API sees them. */
record FrontendServices(CompiledZones zones, ControlPlane control) implements DnsServices {

    @Override
    public Map<String, Object> explain(String name, String type, Optional<IpAddress> from) throws IOException {
        return zones.explain(name, family(type), from).toMap();
    }

    /** The family of a type of address records, in any case. */
    static AddressFamily family(String type) {
        return switch (type.toUpperCase(Locale.ROOT)) {
            case "A" -> AddressFamily.IPV4;
            case "AAAA" -> AddressFamily.IPV6;
            default -> throw new IllegalArgumentException("type: " + type + " (expected: A or AAAA)");
        };
    }

    @Override
    public void learn(List<RoundTrip> reports) {
        List<Sample> samples = reports.stream()
                .map(report -> new Sample(report.client(), report.pool(), report.time()))
                .toList();
        control.execute(() -> zones.learn(samples));
    }
}
