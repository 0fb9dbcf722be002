package io.ballast.dns.zone.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendState;
import io.ballast.dns.config.zone.ServiceConfig;
import io.ballast.dns.config.zone.ServiceConfig.Routing;
import io.ballast.dns.testing.Asker;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.World;
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

    private final World world = new World()
            .pool(
                    "web",
                    World.backend("192.0.2.1", 80, 1, 0),
                    World.backend("192.0.2.2", 80, 3, 0),
                    World.backend("192.0.2.3", 80, 4, 1),
                    World.backend("2001:db8::1", 80, 1, 0),
                    World.backend("2001:db8::2", 80, 1, 1))
            .pool(
                    "ports",
                    World.backend("192.0.2.1", 80, 1, 0),
                    World.backend("192.0.2.1", 81, 2, 0),
                    World.backend("192.0.2.2", 80, 1, 0))
            .pool("idle", World.backend("192.0.2.1"), World.backend("192.0.2.2", 80, 0, 0))
            .pool("retired", World.backend("192.0.2.7", 80, 0, 0));

    @Test
    void roundRobinAdvancesByOne() {
        Asker asker = serving("web", Routing.ROUND_ROBIN, ServiceConfig.ALL);

        assertThat(askA(asker)).containsExactly("192.0.2.1", "192.0.2.2", "192.0.2.3");
        assertThat(askA(asker)).containsExactly("192.0.2.2", "192.0.2.3", "192.0.2.1");
        // AAAA queries have their own round-robin cycle.
        assertThat(askAaaa(asker)).containsExactly("2001:db8:0:0:0:0:0:1", "2001:db8:0:0:0:0:0:2");
        assertThat(askA(asker)).containsExactly("192.0.2.3", "192.0.2.1", "192.0.2.2");
        assertThat(askA(asker)).containsExactly("192.0.2.1", "192.0.2.2", "192.0.2.3");
    }

    @Test
    void roundRobinWithLimitMovesWindow() {
        Asker asker = serving("web", Routing.ROUND_ROBIN, 2);

        assertThat(askA(asker)).containsExactly("192.0.2.1", "192.0.2.2");
        assertThat(askA(asker)).containsExactly("192.0.2.2", "192.0.2.3");
        assertThat(askA(asker)).containsExactly("192.0.2.3", "192.0.2.1");
    }

    @Test
    void limitAboveMembersReturnsAll() {
        assertThat(askA(serving("web", Routing.ROUND_ROBIN, 10))).hasSize(3);
        assertThat(askA(serving("web", Routing.WEIGHTED, 10))).hasSize(3);
    }

    @Test
    void weightedSelectsProportionally() {
        Asker asker = serving("web", Routing.WEIGHTED, 1);
        Map<String, Integer> counts = new HashMap<>();

        for (int i = 0; i < 800; i++) {
            askA(asker).forEach(address -> counts.merge(address, 1, Integer::sum));
        }

        // The weighted shares are exact over each cycle of 8 answers.
        assertThat(counts).isEqualTo(Map.of("192.0.2.1", 100, "192.0.2.2", 300, "192.0.2.3", 400));
    }

    @Test
    void weightedSelectsAddressOnce() {
        Asker asker = serving("web", Routing.WEIGHTED, 2);
        for (int i = 0; i < 100; i++) {
            assertThat(askA(asker)).hasSize(2).doesNotHaveDuplicates();
        }
    }

    @Test
    void weightedWithoutLimitStartsWithSelected() {
        Asker asker = serving("web", Routing.WEIGHTED, ServiceConfig.ALL);
        Map<String, Integer> first = new HashMap<>();

        for (int i = 0; i < 80; i++) {
            List<String> answer = askA(asker);
            assertThat(answer).hasSize(3).doesNotHaveDuplicates();
            first.merge(answer.get(0), 1, Integer::sum);
        }

        assertThat(first).isEqualTo(Map.of("192.0.2.1", 10, "192.0.2.2", 30, "192.0.2.3", 40));
    }

    @Test
    void weightedAnswersWhenBackendsAreFull() {
        World full = new World();
        full.pool("web", World.backend("192.0.2.1"), World.backend("192.0.2.2"), World.backend("192.0.2.3"));
        full.fill("web");
        full.zone("example.com", World.service("app", "web", Routing.WEIGHTED, 2));
        Asker asker = new Asker(full);
        List<String> seen = new ArrayList<>();

        for (int i = 0; i < 50; i++) {
            List<String> answer = askA(asker);
            assertThat(answer).hasSize(2).doesNotHaveDuplicates();
            seen.addAll(answer);
        }

        assertThat(new HashSet<>(seen)).hasSize(3);
    }

    @Test
    void failoverUsesFirstHealthyTier() {
        Asker asker = serving("web", Routing.FAILOVER, ServiceConfig.ALL);
        assertThat(askA(asker)).containsExactlyInAnyOrder("192.0.2.1", "192.0.2.2");

        world.set("web", "192.0.2.1", BackendState.DOWN);
        assertThat(askA(asker)).containsExactly("192.0.2.2");
        world.set("web", "192.0.2.2", BackendState.DOWN);
        assertThat(askA(asker)).containsExactly("192.0.2.3");
        // Each family has its own health.
        assertThat(askAaaa(asker)).containsExactly("2001:db8:0:0:0:0:0:1");

        world.set("web", "192.0.2.2", BackendState.UP);
        assertThat(askA(asker)).containsExactly("192.0.2.2");
    }

    @Test
    void downAndDrainingMembersAreOmitted() {
        for (Routing routing : EnumSet.complementOf(EnumSet.of(Routing.GEO))) {
            World fresh = new World();
            fresh.pool("web", World.backend("192.0.2.1"), World.backend("192.0.2.2"), World.backend("192.0.2.3"));
            fresh.zone("example.com", World.service("app", "web", routing, ServiceConfig.ALL));
            Asker asker = new Asker(fresh);

            fresh.set("web", "192.0.2.1", BackendState.DOWN);
            fresh.set("web", "192.0.2.2", BackendState.DRAINING);

            assertThat(askA(asker)).as("%s", routing).containsExactly("192.0.2.3");
        }
    }

    @Test
    void backupsAreUsedOnlyWithoutOthers() {
        for (Routing routing : EnumSet.complementOf(EnumSet.of(Routing.GEO))) {
            World fresh = new World();
            fresh.pool(
                    "web",
                    World.backup("192.0.2.1"),
                    World.backend("192.0.2.2"),
                    World.backend("192.0.2.3", 80, 1, 5),
                    World.backend("2001:db8::1"));
            fresh.zone("example.com", World.service("app", "web", routing, ServiceConfig.ALL));
            Asker asker = new Asker(fresh);

            assertThat(askA(asker)).as("%s", routing).doesNotContain("192.0.2.1");
            fresh.set("web", "192.0.2.2", BackendState.DOWN);
            assertThat(askA(asker)).as("%s", routing).containsExactly("192.0.2.3");
            fresh.set("web", "192.0.2.3", BackendState.DOWN);
            assertThat(askA(asker)).as("%s", routing).containsExactly("192.0.2.1");
            fresh.set("web", "192.0.2.3", BackendState.UP);
            assertThat(askA(asker)).as("%s", routing).containsExactly("192.0.2.3");
        }
    }

    @Test
    void allDownReturnsAllAddressesWithShortTtl() {
        Asker asker = serving("web", Routing.WEIGHTED, ServiceConfig.ALL);
        world.set("web", "192.0.2.1", BackendState.DOWN);
        world.set("web", "192.0.2.2", BackendState.DOWN);
        world.set("web", "192.0.2.3", BackendState.DOWN);

        Message response = asker.ask("app.example.com", Type.A);

        assertThat(Messages.answers(response)).containsExactlyInAnyOrder("192.0.2.1", "192.0.2.2", "192.0.2.3");
        assertThat(response.getSection(Section.ANSWER))
                .allMatch(record -> record.getTTL() == AllDownAnswer.TTL.toSeconds());
        // The IPv6 addresses are up and keep their TTL.
        assertThat(asker.ask("app.example.com", Type.AAAA).getSection(Section.ANSWER))
                .hasSize(2)
                .allMatch(record -> record.getTTL() == World.TTL.toSeconds());
    }

    @Test
    void allDownPutsOverriddenMembersLast() {
        Asker asker = serving("idle", Routing.ROUND_ROBIN, ServiceConfig.ALL);
        world.set("idle", "192.0.2.1", BackendState.DOWN);

        assertThat(askA(asker)).containsExactly("192.0.2.1");
        assertThat(askA(serving("retired", Routing.ROUND_ROBIN, ServiceConfig.ALL)))
                .containsExactly("192.0.2.7");
    }

    @Test
    void addressOnSeveralPortsSumsWeights() {
        Asker asker = serving("ports", Routing.WEIGHTED, 1);
        Map<String, Integer> counts = new HashMap<>();

        for (int i = 0; i < 40; i++) {
            askA(asker).forEach(address -> counts.merge(address, 1, Integer::sum));
        }

        assertThat(counts).isEqualTo(Map.of("192.0.2.1", 30, "192.0.2.2", 10));
        assertThat(askA(serving("ports", Routing.ROUND_ROBIN, ServiceConfig.ALL)))
                .containsExactlyInAnyOrder("192.0.2.1", "192.0.2.2");
    }

    @Test
    void addressStaysWhileOnePortIsUp() {
        World fresh = new World();
        fresh.pool("ports", World.backend("192.0.2.1", 80, 1, 0), World.backend("192.0.2.1", 81, 1, 0));
        fresh.zone("example.com", World.service("app", "ports"));
        Asker asker = new Asker(fresh);

        fresh.set("ports", "192.0.2.1", 80, BackendState.DOWN);

        Message response = asker.ask("app.example.com", Type.A);
        assertThat(Messages.answers(response)).containsExactly("192.0.2.1");
        assertThat(response.getSection(Section.ANSWER).get(0).getTTL()).isEqualTo(World.TTL.toSeconds());
    }

    @Test
    void backendInTwoPoolsHasSeparateHealth() {
        World fresh = new World();
        fresh.pool("a", World.backend("192.0.2.1"), World.backend("192.0.2.2"));
        fresh.pool("b", World.backend("192.0.2.1"), World.backend("192.0.2.2"));
        fresh.zone("example.com", World.service("app", "a"), World.service("other", "b"));
        Asker asker = new Asker(fresh);

        fresh.set("a", "192.0.2.1", BackendState.DOWN);

        assertThat(askA(asker)).containsExactly("192.0.2.2");
        assertThat(Messages.answers(asker.ask("other.example.com", Type.A)))
                .containsExactlyInAnyOrder("192.0.2.1", "192.0.2.2");
    }

    private Asker serving(String pool, Routing routing, int answers) {
        world.zone("example.com", World.service("app", pool, routing, answers));
        Asker asker = new Asker(world);
        world.withoutZones();
        return asker;
    }

    private static List<String> askA(Asker asker) {
        return Messages.answers(asker.ask("app.example.com", Type.A));
    }

    private static List<String> askAaaa(Asker asker) {
        return Messages.answers(asker.ask("app.example.com", Type.AAAA));
    }
}
