package io.ballast.bench.dns;

import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.HealthConfig;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.pool.Topology;
import io.ballast.core.pool.TopologyBuilder;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.DnsTcpConfig;
import io.ballast.dns.config.DnsUdpKind;
import io.ballast.dns.config.zone.ServiceConfig;
import io.ballast.dns.config.zone.ServiceConfig.Routing;
import io.ballast.dns.config.zone.ZoneConfig;
import io.ballast.dns.zone.CompiledZones;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The zone {@code example.com} with services {@code n0}, {@code n1} and so on, which all use the same four
 * backends.
 */
final class ServiceZone {

    private static final int BACKENDS = 4;
    private static final byte[] HEADER = {0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0};
    private static final byte[] TYPE_A_CLASS_IN = {0, 1, 0, 1};

    private ServiceZone() {}

    static CompiledZones compile(int services, Routing routing) {
        HealthConfig unchecked = new HealthConfig(
                new HealthCheck.None(), HealthConfig.DEFAULT_INTERVAL, HealthConfig.DEFAULT_TIMEOUT, 1, 1);
        PoolConfig pool = PoolConfig.builder("web")
                .backends(IntStream.rangeClosed(1, BACKENDS)
                        .mapToObj(i -> new BackendConfig(new HostPort("192.0.2." + i, 80), i, 0))
                        .toList())
                .health(unchecked)
                .build();
        Topology topology = new TopologyBuilder(
                        address -> new InetSocketAddress(address.host(), address.port()), 1, Clock.systemUTC())
                .build(Map.of("web", pool));
        return CompiledZones.start(
                new DnsConfig(List.of(), DnsUdpKind.AUTO, DnsTcpConfig.DEFAULT, List.of(zone(services, routing))),
                topology);
    }

    private static ZoneConfig zone(int services, Routing routing) {
        ZoneConfig.SoaConfig soa = new ZoneConfig.SoaConfig(
                "ns1.example.com",
                "hostmaster.example.com",
                1,
                Duration.ofHours(1),
                Duration.ofHours(1),
                Duration.ofDays(7),
                Duration.ofMinutes(1));
        return new ZoneConfig(
                "example.com",
                soa,
                List.of("ns1.example.com"),
                Duration.ofHours(1),
                Optional.empty(),
                Optional.empty(),
                IntStream.range(0, services)
                        .mapToObj(i ->
                                new ServiceConfig("n" + i, "web", routing, Duration.ofSeconds(30), ServiceConfig.ALL))
                        .toList());
    }

    /** Returns an A query for a service. */
    static byte[] query(String service) {
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        wire.writeBytes(HEADER);
        for (String label : List.of(service, "example", "com")) {
            wire.write(label.length());
            wire.writeBytes(label.getBytes(StandardCharsets.US_ASCII));
        }
        wire.write(0);
        wire.writeBytes(TYPE_A_CLASS_IN);
        return wire.toByteArray();
    }
}
