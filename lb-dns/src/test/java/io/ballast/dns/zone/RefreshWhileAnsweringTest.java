package io.ballast.dns.zone;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendState;
import io.ballast.dns.config.zone.ServiceConfig;
import io.ballast.dns.config.zone.ServiceConfig.Routing;
import io.ballast.dns.testing.Asker;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.World;
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

/** Tests answers during continuous health changes: each must have been correct at some time. */
class RefreshWhileAnsweringTest {

    private static final int CHANGES = 2000;
    private static final int THREADS = 2;
    private static final Set<String> ADDRESSES = Set.of("192.0.2.1", "192.0.2.2", "192.0.2.3");

    @Test
    void answersAreConsistent() throws Exception {
        World world = new World()
                .pool("web", World.backend("192.0.2.1"), World.backend("192.0.2.2"), World.backend("192.0.2.3"))
                .zone(
                        "example.com",
                        World.service("rr", "web"),
                        World.service("drawn", "web", Routing.WEIGHTED, 1),
                        World.service("first", "web", Routing.FAILOVER, ServiceConfig.ALL));
        CompiledZones zones = CompiledZones.start(world.dns(), world.topology());
        AtomicBoolean done = new AtomicBoolean();
        ExecutorService askers = Executors.newFixedThreadPool(THREADS);
        try {
            Callable<Long> asking = () -> askUntil(done, new Asker(zones));
            List<Future<Long>> running = List.of(askers.submit(asking), askers.submit(asking));
            for (int i = 0; i < CHANGES; i++) {
                // Backend 1 never changes. Backends 2 and 3 change together or separately.
                world.set("web", "192.0.2.2", i % 2 == 0 ? BackendState.DOWN : BackendState.UP);
                world.set("web", "192.0.2.3", i % 3 == 0 ? BackendState.DOWN : BackendState.UP);
            }
            done.set(true);

            for (Future<Long> asked : running) {
                assertThat(asked.get()).isPositive();
            }
        } finally {
            done.set(true);
            askers.shutdownNow();
        }
    }

    private static long askUntil(AtomicBoolean done, Asker asker) {
        long asked = 0;
        do {
            check(asker.ask("rr.example.com", Type.A), "192.0.2.1");
            check(asker.ask("first.example.com", Type.A), "192.0.2.1");
            Message drawn = asker.ask("drawn.example.com", Type.A);
            assertThat(Messages.answers(drawn)).hasSize(1).isSubsetOf(ADDRESSES);
            asked++;
        } while (!done.get());
        return asked;
    }

    private static void check(Message response, String alwaysUp) {
        assertThat(response.getRcode()).isEqualTo(Rcode.NOERROR);
        assertThat(Messages.answers(response))
                .contains(alwaysUp)
                .doesNotHaveDuplicates()
                .isSubsetOf(ADDRESSES);
    }
}
