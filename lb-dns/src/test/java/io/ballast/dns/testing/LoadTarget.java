package io.ballast.dns.testing;

import io.ballast.core.config.HostPort;
import io.ballast.dns.DnsFrontend;
import io.ballast.dns.config.DnsUdpKind;
import io.ballast.dns.config.zone.ServiceConfig;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.net.config.TransportKind;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A frontend for manual load tests with {@code dnsperf} or {@code strace}: {@code app.example.com} and {@code n0} to
 * {@code n999} have 4 addresses. Arguments: port, event loops, transport and, unless {@code AUTO}, the UDP
 * implementation.
 */
public final class LoadTarget {

    private static final Logger LOG = LoggerFactory.getLogger(LoadTarget.class);

    private LoadTarget() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        ZoneFixture fixture = new ZoneFixture()
                .pool(
                        "web",
                        ZoneFixture.backend("192.0.2.1"),
                        ZoneFixture.backend("192.0.2.2"),
                        ZoneFixture.backend("192.0.2.3"),
                        ZoneFixture.backend("192.0.2.4"));
        fixture.zone(
                "example.com",
                IntStream.rangeClosed(0, 1000)
                        .mapToObj(i -> ZoneFixture.service(i == 1000 ? "app" : "n" + i, "web"))
                        .toArray(ServiceConfig[]::new));
        if (arguments.length > 3) {
            fixture.udp(DnsUdpKind.valueOf(arguments[3]));
        }
        HostPort listener = new HostPort("127.0.0.1", Integer.parseInt(arguments[0]));
        TransportKind transport = TransportKind.valueOf(arguments[2]);
        try (DnsFrontend frontend = DnsFrontend.start(
                fixture.dns(listener), fixture.topology(), Integer.parseInt(arguments[1]), transport)) {
            LOG.info("serving on {}, UDP by {}, TCP by {}", frontend.addresses(), frontend.udp(), frontend.transport());
            Map<DnsCounter, Long> before = new EnumMap<>(DnsCounter.class);
            while (System.in.read() >= 0) {
                Map<DnsCounter, Long> now = frontend.stats().sums();
                now.forEach((counter, sum) -> {
                    long grown = sum - before.getOrDefault(counter, 0L);
                    if (grown != 0) {
                        LOG.info("{} {}", counter.label(), grown);
                    }
                });
                before.putAll(now);
            }
        }
    }
}
