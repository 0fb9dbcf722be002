package io.ballast.dns.zone.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendState;
import io.ballast.dns.config.zone.ServiceConfig;
import io.ballast.dns.config.zone.ServiceConfig.Routing;
import io.ballast.dns.testing.AnswererClient;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.ZoneFixture;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Message;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests which addresses a service returns, by routing and health. */
class ServiceTest {

    private final ZoneFixture fixture = new ZoneFixture()
            .pool(
                    "web",
                    ZoneFixture.backend("192.0.2.1", 80, 1, 0),
                    ZoneFixture.backend("192.0.2.2", 80, 3, 0),
                    ZoneFixture.backend("192.0.2.3", 80, 4, 1),
                    ZoneFixture.backend("2001:db8::1", 80, 1, 0),
                    ZoneFixture.backend("2001:db8::2", 80, 1, 1))
            .pool(
                    "ports",
                    ZoneFixture.backend("192.0.2.1", 80, 1, 0),
                    ZoneFixture.backend("192.0.2.1", 81, 2, 0),
                    ZoneFixture.backend("192.0.2.2", 80, 1, 0))
            .pool("idle", ZoneFixture.backend("192.0.2.1"), ZoneFixture.backend("192.0.2.2", 80, 0, 0))
            .pool("retired", ZoneFixture.backend("192.0.2.7", 80, 0, 0));

    @Test
    void roundRobinAdvancesByOne() {
        AnswererClient client = serving("web", Routing.ROUND_ROBIN, ServiceConfig.ALL);

        assertThat(queryA(client)).containsExactly("192.0.2.1", "192.0.2.2", "192.0.2.3");
        assertThat(queryA(client)).containsExactly("192.0.2.2", "192.0.2.3", "192.0.2.1");
        // AAAA queries have their own round-robin cycle.
        assertThat(queryAaaa(client)).containsExactly("2001:db8:0:0:0:0:0:1", "2001:db8:0:0:0:0:0:2");
        assertThat(queryA(client)).containsExactly("192.0.2.3", "192.0.2.1", "192.0.2.2");
        assertThat(queryA(client)).containsExactly("192.0.2.1", "192.0.2.2", "192.0.2.3");
    }

    @Test
    void roundRobinWithLimitMovesWindow() {
        AnswererClient client = serving("web", Routing.ROUND_ROBIN, 2);

        assertThat(queryA(client)).containsExactly("192.0.2.1", "192.0.2.2");
        assertThat(queryA(client)).containsExactly("192.0.2.2", "192.0.2.3");
        assertThat(queryA(client)).containsExactly("192.0.2.3", "192.0.2.1");
    }

    @Test
    void limitAboveMembersReturnsAll() {
        assertThat(queryA(serving("web", Routing.ROUND_ROBIN, 10))).hasSize(3);
        assertThat(queryA(serving("web", Routing.WEIGHTED, 10))).hasSize(3);
    }

    @Test
    void weightedSelectsProportionally() {
        AnswererClient client = serving("web", Routing.WEIGHTED, 1);
        Map<String, Integer> counts = new HashMap<>();

        for (int i = 0; i < 800; i++) {
            queryA(client).forEach(address -> counts.merge(address, 1, Integer::sum));
        }

        // The weighted shares are exact over each cycle of 8 answers.
        assertThat(counts).isEqualTo(Map.of("192.0.2.1", 100, "192.0.2.2", 300, "192.0.2.3", 400));
    }

    @Test
    void weightedSelectsAddressOnce() {
        AnswererClient client = serving("web", Routing.WEIGHTED, 2);
        for (int i = 0; i < 100; i++) {
            assertThat(queryA(client)).hasSize(2).doesNotHaveDuplicates();
        }
    }

    @Test
    void weightedWithoutLimitStartsWithSelected() {
        AnswererClient client = serving("web", Routing.WEIGHTED, ServiceConfig.ALL);
        Map<String, Integer> first = new HashMap<>();

        for (int i = 0; i < 80; i++) {
            List<String> answer = queryA(client);
            assertThat(answer).hasSize(3).doesNotHaveDuplicates();
            first.merge(answer.get(0), 1, Integer::sum);
        }

        assertThat(first).isEqualTo(Map.of("192.0.2.1", 10, "192.0.2.2", 30, "192.0.2.3", 40));
    }

    @Test
    void weightedAnswersWhenBackendsAreFull() {
        ZoneFixture full = new ZoneFixture();
        full.pool(
                "web",
                ZoneFixture.backend("192.0.2.1"),
                ZoneFixture.backend("192.0.2.2"),
                ZoneFixture.backend("192.0.2.3"));
        full.fill("web");
        full.zone("example.com", ZoneFixture.service("app", "web", Routing.WEIGHTED, 2));
        AnswererClient client = new AnswererClient(full);
        List<String> seen = new ArrayList<>();

        for (int i = 0; i < 50; i++) {
            List<String> answer = queryA(client);
            assertThat(answer).hasSize(2).doesNotHaveDuplicates();
            seen.addAll(answer);
        }

        assertThat(new HashSet<>(seen)).hasSize(3);
    }

    @Test
    void failoverUsesFirstHealthyTier() {
        AnswererClient client = serving("web", Routing.FAILOVER, ServiceConfig.ALL);
        assertThat(queryA(client)).containsExactlyInAnyOrder("192.0.2.1", "192.0.2.2");

        fixture.set("web", "192.0.2.1", BackendState.DOWN);
        assertThat(queryA(client)).containsExactly("192.0.2.2");
        fixture.set("web", "192.0.2.2", BackendState.DOWN);
        assertThat(queryA(client)).containsExactly("192.0.2.3");
        // Failover is decided separately for IPv4 and IPv6.
        assertThat(queryAaaa(client)).containsExactly("2001:db8:0:0:0:0:0:1");

        fixture.set("web", "192.0.2.2", BackendState.UP);
        assertThat(queryA(client)).containsExactly("192.0.2.2");
    }

    @Test
    void downAndDrainingMembersAreOmitted() {
        for (Routing routing : EnumSet.complementOf(EnumSet.of(Routing.GEO))) {
            ZoneFixture fresh = new ZoneFixture();
            fresh.pool(
                    "web",
                    ZoneFixture.backend("192.0.2.1"),
                    ZoneFixture.backend("192.0.2.2"),
                    ZoneFixture.backend("192.0.2.3"));
            fresh.zone("example.com", ZoneFixture.service("app", "web", routing, ServiceConfig.ALL));
            AnswererClient client = new AnswererClient(fresh);

            fresh.set("web", "192.0.2.1", BackendState.DOWN);
            fresh.set("web", "192.0.2.2", BackendState.DRAINING);

            assertThat(queryA(client)).as("%s", routing).containsExactly("192.0.2.3");
        }
    }

    @Test
    void backupsAreUsedOnlyWithoutOthers() {
        for (Routing routing : EnumSet.complementOf(EnumSet.of(Routing.GEO))) {
            ZoneFixture fresh = new ZoneFixture();
            fresh.pool(
                    "web",
                    ZoneFixture.backup("192.0.2.1"),
                    ZoneFixture.backend("192.0.2.2"),
                    ZoneFixture.backend("192.0.2.3", 80, 1, 5),
                    ZoneFixture.backend("2001:db8::1"));
            fresh.zone("example.com", ZoneFixture.service("app", "web", routing, ServiceConfig.ALL));
            AnswererClient client = new AnswererClient(fresh);

            assertThat(queryA(client)).as("%s", routing).doesNotContain("192.0.2.1");
            fresh.set("web", "192.0.2.2", BackendState.DOWN);
            assertThat(queryA(client)).as("%s", routing).containsExactly("192.0.2.3");
            fresh.set("web", "192.0.2.3", BackendState.DOWN);
            assertThat(queryA(client)).as("%s", routing).containsExactly("192.0.2.1");
            fresh.set("web", "192.0.2.3", BackendState.UP);
            assertThat(queryA(client)).as("%s", routing).containsExactly("192.0.2.3");
        }
    }

    @Test
    void allDownReturnsAllAddressesWithShortTtl() {
        AnswererClient client = serving("web", Routing.WEIGHTED, ServiceConfig.ALL);
        fixture.set("web", "192.0.2.1", BackendState.DOWN);
        fixture.set("web", "192.0.2.2", BackendState.DOWN);
        fixture.set("web", "192.0.2.3", BackendState.DOWN);

        Message response = client.query("app.example.com", Type.A);

        assertThat(Messages.answers(response)).containsExactlyInAnyOrder("192.0.2.1", "192.0.2.2", "192.0.2.3");
        assertThat(response.getSection(Section.ANSWER))
                .allMatch(record -> record.getTTL() == AllDownAnswer.TTL.toSeconds());
        // The IPv6 addresses are up and keep their TTL.
        assertThat(client.query("app.example.com", Type.AAAA).getSection(Section.ANSWER))
                .hasSize(2)
                .allMatch(record -> record.getTTL() == ZoneFixture.TTL.toSeconds());
    }

    @Test
    void allDownPutsOverriddenMembersLast() {
        AnswererClient client = serving("idle", Routing.ROUND_ROBIN, ServiceConfig.ALL);
        fixture.set("idle", "192.0.2.1", BackendState.DOWN);

        assertThat(queryA(client)).containsExactly("192.0.2.1");
        assertThat(queryA(serving("retired", Routing.ROUND_ROBIN, ServiceConfig.ALL)))
                .containsExactly("192.0.2.7");
    }

    @Test
    void addressOnSeveralPortsSumsWeights() {
        AnswererClient client = serving("ports", Routing.WEIGHTED, 1);
        Map<String, Integer> counts = new HashMap<>();

        for (int i = 0; i < 40; i++) {
            queryA(client).forEach(address -> counts.merge(address, 1, Integer::sum));
        }

        assertThat(counts).isEqualTo(Map.of("192.0.2.1", 30, "192.0.2.2", 10));
        assertThat(queryA(serving("ports", Routing.ROUND_ROBIN, ServiceConfig.ALL)))
                .containsExactlyInAnyOrder("192.0.2.1", "192.0.2.2");
    }

    @Test
    void addressStaysWhileOnePortIsUp() {
        ZoneFixture fresh = new ZoneFixture();
        fresh.pool("ports", ZoneFixture.backend("192.0.2.1", 80, 1, 0), ZoneFixture.backend("192.0.2.1", 81, 1, 0));
        fresh.zone("example.com", ZoneFixture.service("app", "ports"));
        AnswererClient client = new AnswererClient(fresh);

        fresh.set("ports", "192.0.2.1", 80, BackendState.DOWN);

        Message response = client.query("app.example.com", Type.A);
        assertThat(Messages.answers(response)).containsExactly("192.0.2.1");
        assertThat(response.getSection(Section.ANSWER).get(0).getTTL()).isEqualTo(ZoneFixture.TTL.toSeconds());
    }

    @Test
    void backendInTwoPoolsHasSeparateHealth() {
        ZoneFixture fresh = new ZoneFixture();
        fresh.pool("a", ZoneFixture.backend("192.0.2.1"), ZoneFixture.backend("192.0.2.2"));
        fresh.pool("b", ZoneFixture.backend("192.0.2.1"), ZoneFixture.backend("192.0.2.2"));
        fresh.zone("example.com", ZoneFixture.service("app", "a"), ZoneFixture.service("other", "b"));
        AnswererClient client = new AnswererClient(fresh);

        fresh.set("a", "192.0.2.1", BackendState.DOWN);

        assertThat(queryA(client)).containsExactly("192.0.2.2");
        assertThat(Messages.answers(client.query("other.example.com", Type.A)))
                .containsExactlyInAnyOrder("192.0.2.1", "192.0.2.2");
    }

    private AnswererClient serving(String pool, Routing routing, int answers) {
        fixture.zone("example.com", ZoneFixture.service("app", pool, routing, answers));
        AnswererClient client = new AnswererClient(fixture);
        fixture.withoutZones();
        return client;
    }

    private static List<String> queryA(AnswererClient client) {
        return Messages.answers(client.query("app.example.com", Type.A));
    }

    private static List<String> queryAaaa(AnswererClient client) {
        return Messages.answers(client.query("app.example.com", Type.AAAA));
    }
}
