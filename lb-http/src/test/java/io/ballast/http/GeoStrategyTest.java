package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.StrategyConfig;
import io.ballast.core.config.StrategyKind;
import io.ballast.core.config.geo.GeoConfig;
import io.ballast.core.config.geo.RegionConfig;
import io.ballast.core.geo.Geography;
import io.ballast.core.geo.RegionNetwork;
import io.ballast.core.geo.RegionTable;
import io.ballast.core.geo.Regions;
import io.ballast.core.net.Cidr;
import io.ballast.http.config.Forwarding;
import io.ballast.http.config.ListenerProtocol;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.DatagramClient;
import io.ballast.http.testing.DatagramEcho;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests that the client's address, as reported by a trusted proxy, selects a near backend. */
class GeoStrategyTest {

    private static final StrategyConfig GEO = StrategyConfig.of(StrategyKind.GEO);

    @EachTransport
    void usesClientBehindTrustedProxy(TransportKind transport) throws Exception {
        try (TestBackend eu = TestBackend.playing(Script.ok("eu"));
                TestBackend us = TestBackend.playing(Script.ok("us"));
                TestBalancer balancer = setup(transport)
                        .backend(eu)
                        .backend(us)
                        .forwarding(Forwarding.OVERWRITE)
                        .trustedProxies("127.0.0.0/8")
                        .start();
                RawClient client = balancer.client();
                Http2Client modern = Http2Client.connect(balancer.port())) {
            for (int i = 0; i < 3; i++) {
                assertThat(request(client, "192.0.2.7")).isEqualTo("eu");
                assertThat(request(client, "198.51.100.7")).isEqualTo("us");
                assertThat(request(client, "2001:db8::7")).isEqualTo("us");
                assertThat(request(client, "203.0.113.7")).as("the default").isEqualTo("eu");
                assertThat(modern.read(modern.get("/", "x-forwarded-for", "198.51.100.7"))
                                .body())
                        .isEqualTo("us");
                assertThat(modern.read(modern.get("/", "x-forwarded-for", "192.0.2.7"))
                                .body())
                        .isEqualTo("eu");
            }
        }
    }

    @Test
    void ignoresHeaderOfUntrustedClient() throws Exception {
        try (TestBackend us = TestBackend.playing(Script.ok("us"));
                TestBackend here = TestBackend.playing(Script.ok("here"));
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .strategy(GEO)
                        .regions(geography(), "us", "loopback")
                        .backend(us)
                        .backend(here)
                        .start();
                RawClient client = balancer.client()) {
            assertThat(request(client, "198.51.100.7")).isEqualTo("here");
            assertThat(request(client, "198.51.100.7")).isEqualTo("here");
        }
    }

    @Test
    void tcpSessionsUseConnectionAddress() throws Exception {
        try (TestBackend us = TestBackend.playing(Script.ok("us"));
                TestBackend here = TestBackend.playing(Script.ok("here"));
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .strategy(GEO)
                        .regions(geography(), "us", "loopback")
                        .backend(us)
                        .backend(here)
                        .protocol(ListenerProtocol.TCP)
                        .start()) {
            for (int i = 0; i < 3; i++) {
                try (RawClient client = balancer.client()) {
                    assertThat(request(client, "198.51.100.7")).isEqualTo("here");
                }
            }
        }
    }

    @Test
    void panicInOtherTierMovesUdpSessionFromDownBackend() throws Exception {
        try (DatagramEcho here = new DatagramEcho();
                DatagramEcho far = new DatagramEcho();
                DatagramEcho alsoFar = new DatagramEcho();
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .strategy(GEO)
                        .panicBelow(100)
                        .regions(geography(), "loopback", "us", "us")
                        .backend(here.address())
                        .backend(far.address())
                        .backend(alsoFar.address())
                        .protocol(ListenerProtocol.UDP)
                        .start();
                DatagramClient client = new DatagramClient(balancer.port())) {
            assertThat(client.request("one")).isEqualTo("one");
            assertThat(here.clients()).isEqualTo(1);

            balancer.goDown(0, 2);

            assertThat(balancer.pool().snapshot().isPanic()).isTrue();
            assertThat(client.request("two")).isEqualTo("two");
            assertThat(far.clients() + alsoFar.clients()).isEqualTo(1);
        }
    }

    private static BalancerSetup setup(TransportKind transport) {
        return BalancerSetup.on(transport).strategy(GEO).regions(geography(), "eu", "us");
    }

    private static String request(RawClient client, String forwardedFor) {
        return client.send("GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: " + forwardedFor + "\r\n\r\n")
                .read()
                .body();
    }

    private static Geography geography() {
        Map<String, RegionConfig> names = new LinkedHashMap<>();
        List.of("eu", "us", "loopback").forEach(name -> names.put(name, RegionConfig.of(name)));
        Regions regions = Regions.of(new GeoConfig(List.of(), names, "eu"));
        RegionTable table = RegionTable.ofNetworks(
                List.of(
                        new RegionNetwork(Cidr.parse("192.0.2.0/24"), 0),
                        new RegionNetwork(Cidr.parse("198.51.100.0/24"), 1),
                        new RegionNetwork(Cidr.parse("2001:db8::/32"), 1),
                        new RegionNetwork(Cidr.parse("127.0.0.0/8"), 2)),
                regions.defaultRegion());
        return new Geography() {
            @Override
            public Regions regions() {
                return regions;
            }

            @Override
            public RegionTable current() {
                return table;
            }
        };
    }
}
