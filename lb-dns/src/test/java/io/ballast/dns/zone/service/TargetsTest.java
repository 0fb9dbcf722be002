package io.ballast.dns.zone.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ballast.core.backend.BackendState;
import io.ballast.dns.config.zone.ServiceConfig.Routing;
import io.ballast.dns.config.zone.TargetConfig;
import io.ballast.dns.testing.AnswererClient;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.Routes;
import io.ballast.dns.testing.ZoneFixture;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Type;

/** Tests which of several nested targets answers, by routing and health. */
class TargetsTest {

    private final ZoneFixture fixture = new ZoneFixture()
            .pool(
                    "a",
                    ZoneFixture.backend("192.0.2.1"),
                    ZoneFixture.backend("192.0.2.2"),
                    ZoneFixture.backend("2001:db8::1"))
            .pool("b", ZoneFixture.backend("192.0.2.11"), ZoneFixture.backend("2001:db8::11"))
            .pool("c", ZoneFixture.backend("192.0.2.21"), ZoneFixture.backend("192.0.2.22"));

    @Test
    void failoverUsesFirstHealthyTargetPerFamily() {
        AnswererClient dnsClient =
                serving(Routes.among(Routing.FAILOVER, Routes.pool("a"), Routes.pool("b"), Routes.pool("c")));
        assertThat(queryA(dnsClient)).containsExactlyInAnyOrder("192.0.2.1", "192.0.2.2");

        fixture.set("a", "192.0.2.1", BackendState.DOWN);
        assertThat(queryA(dnsClient)).containsExactly("192.0.2.2");
        fixture.set("a", "192.0.2.2", BackendState.DOWN);
        assertThat(queryA(dnsClient)).containsExactly("192.0.2.11");
        assertThat(Messages.answers(dnsClient.query("app.example.com", Type.AAAA)))
                .containsExactly("2001:db8:0:0:0:0:0:1");
        fixture.set("b", "192.0.2.11", BackendState.DRAINING);
        assertThat(queryA(dnsClient)).containsExactlyInAnyOrder("192.0.2.21", "192.0.2.22");

        fixture.set("a", "192.0.2.1", BackendState.UP);
        assertThat(queryA(dnsClient)).containsExactly("192.0.2.1");
    }

    @Test
    void targetBelowMinHealthyIsLastResort() {
        AnswererClient dnsClient = serving(Routes.among(Routing.FAILOVER, Routes.pool("a", 51), Routes.pool("b")));

        fixture.set("a", "192.0.2.1", BackendState.DOWN);
        assertThat(queryA(dnsClient)).as("1 of 2 is less than 51%").containsExactly("192.0.2.11");
        fixture.set("b", "192.0.2.11", BackendState.DOWN);
        assertThat(queryA(dnsClient)).containsExactly("192.0.2.2");
        fixture.set("b", "192.0.2.11", BackendState.UP);
        fixture.set("a", "192.0.2.1", BackendState.UP);
        assertThat(queryA(dnsClient)).containsExactlyInAnyOrder("192.0.2.1", "192.0.2.2");
    }

    @Test
    void minHealthyShareIsInclusive() {
        AnswererClient dnsClient = serving(Routes.among(Routing.FAILOVER, Routes.pool("a", 50), Routes.pool("b")));

        fixture.set("a", "192.0.2.1", BackendState.DOWN);

        assertThat(queryA(dnsClient)).containsExactly("192.0.2.2");
    }

    @Test
    void weightedSelectsHealthyTargetsProportionally() {
        AnswererClient dnsClient = serving(Routes.among(
                Routing.WEIGHTED, Routes.weighted("a", 1), Routes.weighted("b", 6), Routes.weighted("c", 3)));

        Map<String, Integer> counts = pools(dnsClient, 10_000);
        assertThat(counts.get("a")).isCloseTo(1_000, within(150));
        assertThat(counts.get("b")).isCloseTo(6_000, within(250));
        assertThat(counts.get("c")).isCloseTo(3_000, within(250));

        fixture.set("b", "192.0.2.11", BackendState.DOWN);
        counts = pools(dnsClient, 10_000);
        assertThat(counts.get("a")).isCloseTo(2_500, within(250));
        assertThat(counts).doesNotContainKey("b");
    }

    @Test
    void randomSelectsUniformly() {
        Map<String, Integer> counts = pools(
                serving(Routes.among(Routing.RANDOM, Routes.pool("a"), Routes.pool("b"), Routes.pool("c"))), 9_000);

        assertThat(counts.values())
                .hasSize(3)
                .allSatisfy(count -> assertThat(count).isCloseTo(3_000, within(250)));
    }

    @Test
    void roundRobinRotatesTargets() {
        AnswererClient dnsClient = serving(Routes.among(Routing.ROUND_ROBIN, Routes.pool("b"), Routes.pool("c")));

        assertThat(queryA(dnsClient)).containsExactly("192.0.2.11");
        assertThat(queryA(dnsClient)).containsExactly("192.0.2.21", "192.0.2.22");
        assertThat(queryA(dnsClient)).containsExactly("192.0.2.11");
        assertThat(queryA(dnsClient)).containsExactly("192.0.2.22", "192.0.2.21");
    }

    @Test
    void hashIsStablePerNetwork() {
        AnswererClient dnsClient =
                serving(Routes.among(Routing.HASH, Routes.pool("a"), Routes.pool("b"), Routes.pool("c")));
        Map<String, String> before = byNetwork(dnsClient);
        assertThat(before.values()).contains("a", "b", "c");
        assertThat(pool(dnsClient.from("10.0.7.1"))).isEqualTo(pool(dnsClient.from("10.0.7.254")));

        fixture.set("b", "192.0.2.11", BackendState.DOWN);
        Map<String, String> without = byNetwork(dnsClient);
        before.forEach((client, pool) -> {
            if (!pool.equals("b")) {
                assertThat(without).containsEntry(client, pool);
            }
        });
        assertThat(without.values()).doesNotContain("b");

        fixture.set("b", "192.0.2.11", BackendState.UP);
        assertThat(byNetwork(dnsClient)).isEqualTo(before);
    }

    @Test
    void nestedHashUsesAllAddresses() {
        AnswererClient dnsClient =
                serving(Routes.among(Routing.HASH, Routes.pool("a", Routing.HASH), Routes.pool("b")));
        Set<String> seen = new HashSet<>();

        for (int i = 0; i < 200; i++) {
            seen.addAll(queryA(dnsClient.from("10.1." + i + ".1")));
        }

        assertThat(seen).containsExactlyInAnyOrder("192.0.2.1", "192.0.2.2", "192.0.2.11");
    }

    @Test
    void poolHashReturnsOneAddress() {
        AnswererClient dnsClient = serving(Routes.pool("c", Routing.HASH));
        Set<String> seen = new HashSet<>();

        for (int i = 0; i < 100; i++) {
            List<String> first = queryA(dnsClient.from("10.2." + i + ".1"));
            assertThat(first).hasSize(1);
            assertThat(queryA(dnsClient.from("10.2." + i + ".77"))).isEqualTo(first);
            seen.addAll(first);
        }

        assertThat(seen).containsExactlyInAnyOrder("192.0.2.21", "192.0.2.22");
    }

    @Test
    void ipv6NetworksHave56Bits() {
        AnswererClient dnsClient = serving(Routes.pool("c", Routing.HASH));
        Set<List<String>> seen = new HashSet<>();

        for (int i = 0; i < 100; i++) {
            List<String> first = queryA(dnsClient.from("2001:db8:0:" + Integer.toHexString(i << 8) + "::1"));
            assertThat(queryA(dnsClient.from("2001:db8:0:" + Integer.toHexString(i << 8 | 0xff) + "::2")))
                    .isEqualTo(first);
            seen.add(first);
        }

        assertThat(seen).hasSize(2);
    }

    @Test
    void nestsFailoverAndWeighted() {
        TargetConfig both = Routes.among(Routing.WEIGHTED, Routes.weighted("a", 1), Routes.weighted("b", 1));
        AnswererClient dnsClient = serving(Routes.among(Routing.FAILOVER, both, Routes.pool("c")));
        assertThat(pools(dnsClient, 200)).containsOnlyKeys("a", "b");

        fixture.set("b", "192.0.2.11", BackendState.DOWN);
        assertThat(pools(dnsClient, 50)).containsOnlyKeys("a");
        fixture.set("a", "192.0.2.1", BackendState.DOWN);
        fixture.set("a", "192.0.2.2", BackendState.DOWN);
        assertThat(pools(dnsClient, 50)).containsOnlyKeys("c");
    }

    private AnswererClient serving(TargetConfig target) {
        return new AnswererClient(fixture.zone("example.com", Routes.service("app", target)));
    }

    private static Map<String, Integer> pools(AnswererClient dnsClient, int rounds) {
        Map<String, Integer> counts = new HashMap<>();
        for (int i = 0; i < rounds; i++) {
            counts.merge(pool(dnsClient), 1, Integer::sum);
        }
        return counts;
    }

    private static Map<String, String> byNetwork(AnswererClient dnsClient) {
        Map<String, String> pools = new HashMap<>();
        for (int i = 0; i < 250; i++) {
            String client = "10.0." + i + ".9";
            pools.put(client, pool(dnsClient.from(client)));
        }
        return pools;
    }

    /** Returns the pool to which all addresses of an answer belong. */
    private static String pool(AnswererClient dnsClient) {
        Set<String> pools = new HashSet<>();
        for (String address : queryA(dnsClient)) {
            int last = Integer.parseInt(address.substring("192.0.2.".length()));
            pools.add(last < 10 ? "a" : last < 20 ? "b" : "c");
        }
        assertThat(pools).hasSize(1);
        return pools.iterator().next();
    }

    private static List<String> queryA(AnswererClient dnsClient) {
        return Messages.answers(dnsClient.query("app.example.com", Type.A));
    }
}
