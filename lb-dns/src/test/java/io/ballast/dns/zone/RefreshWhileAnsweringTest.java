package io.ballast.dns.zone;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendState;
import io.ballast.dns.config.zone.ServiceConfig;
import io.ballast.dns.config.zone.ServiceConfig.Routing;
import io.ballast.dns.testing.AnswererClient;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.ZoneFixture;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;

/** Tests answers during continuous health changes: each answer must have been correct at some time. */
class RefreshWhileAnsweringTest {

    private static final int CHANGES = 2000;
    private static final int THREADS = 2;
    private static final Set<String> ADDRESSES = Set.of("192.0.2.1", "192.0.2.2", "192.0.2.3");

    @Test
    void answersAreConsistent() throws Exception {
        ZoneFixture fixture = new ZoneFixture()
                .pool(
                        "web",
                        ZoneFixture.backend("192.0.2.1"),
                        ZoneFixture.backend("192.0.2.2"),
                        ZoneFixture.backend("192.0.2.3"))
                .zone(
                        "example.com",
                        ZoneFixture.service("rr", "web"),
                        ZoneFixture.service("drawn", "web", Routing.WEIGHTED, 1),
                        ZoneFixture.service("first", "web", Routing.FAILOVER, ServiceConfig.ALL));
        CompiledZones zones = CompiledZones.start(fixture.dns(), fixture.topology());
        AtomicBoolean done = new AtomicBoolean();
        ExecutorService clients = Executors.newFixedThreadPool(THREADS);
        try {
            Callable<Long> pending = () -> queryUntil(done, new AnswererClient(zones));
            List<Future<Long>> running = List.of(clients.submit(pending), clients.submit(pending));
            for (int i = 0; i < CHANGES; i++) {
                // Backend 1 never changes. Backends 2 and 3 change together or separately.
                fixture.set("web", "192.0.2.2", i % 2 == 0 ? BackendState.DOWN : BackendState.UP);
                fixture.set("web", "192.0.2.3", i % 3 == 0 ? BackendState.DOWN : BackendState.UP);
            }
            done.set(true);

            for (Future<Long> rounds : running) {
                assertThat(rounds.get()).isPositive();
            }
        } finally {
            done.set(true);
            clients.shutdownNow();
        }
    }

    private static long queryUntil(AtomicBoolean done, AnswererClient client) {
        long rounds = 0;
        do {
            check(client.query("rr.example.com", Type.A), "192.0.2.1");
            check(client.query("first.example.com", Type.A), "192.0.2.1");
            Message drawn = client.query("drawn.example.com", Type.A);
            assertThat(Messages.answers(drawn)).hasSize(1).isSubsetOf(ADDRESSES);
            rounds++;
        } while (!done.get());
        return rounds;
    }

    private static void check(Message response, String alwaysUp) {
        assertThat(response.getRcode()).isEqualTo(Rcode.NOERROR);
        assertThat(Messages.answers(response))
                .contains(alwaysUp)
                .doesNotHaveDuplicates()
                .isSubsetOf(ADDRESSES);
    }
}
