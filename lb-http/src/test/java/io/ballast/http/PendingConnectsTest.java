package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ballast.core.backend.BackendCounter;
import io.ballast.core.testing.Connections;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.FullBacklog;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestTimeout;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Tests the limit of concurrent connects to a backend when HTTP/2 clients need many connections. */
class PendingConnectsTest {

    private static final Duration SHORT = Duration.ofMillis(500);
    private static final Duration LONG = TestTimeout.LIMIT.multipliedBy(3);
    private static final int STREAMS = 100;
    /** Maximum concurrent connects of an event loop. */
    private static final int AT_ONCE = 128;

    @EachTransport
    void simultaneousConnectsAreLimited(TransportKind transport) throws Exception {
        try (FullBacklog full = new FullBacklog()) {
            assumeTrue(full.isFull(), "this system's backlog has no end");
            try (TestBalancer balancer = BalancerSetup.on(transport)
                    .loops(1)
                    .backend(full.address())
                    .connections(new Connections().connectTimeout(LONG))
                    .start()) {
                List<Http2Client> connected = connected(balancer, 3);

                balancer.await(
                        "all beyond that wait",
                        () -> balancer.count(BackendCounter.CONNECTION_WAITS) == 3 * STREAMS - AT_ONCE);
                connected.forEach(Http2Client::close);
                balancer.awaitQuiet();
            }
        }
    }

    @EachTransport
    void waitingConnectsMoveToOtherBackends(TransportKind transport) throws Exception {
        try (FullBacklog full = new FullBacklog()) {
            assumeTrue(full.isFull(), "this system's backlog has no end");
            try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                    TestBalancer balancer = BalancerSetup.on(transport)
                            .loops(1)
                            .backend(full.address())
                            .backend(backend)
                            .connections(new Connections().connectTimeout(SHORT))
                            .start()) {
                List<Http2Client> connected = connected(balancer, 3);

                for (Http2Client client : connected) {
                    for (int stream = 1; stream < 2 * STREAMS; stream += 2) {
                        assertThat(client.read(stream).body()).isEqualTo("ok");
                    }
                    client.close();
                }
                balancer.await(
                        "nobody waits",
                        () -> balancer.count(BackendCounter.CONNECTION_WAITS)
                                == balancer.count(BackendCounter.CONNECTION_WAITS_OVER));
            }
        }
    }

    /** Connects clients that each open the maximum number of concurrent streams. */
    private static List<Http2Client> connected(TestBalancer balancer, int clients) throws IOException {
        List<Http2Client> connected = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            Http2Client client = Http2Client.connect(balancer.port());
            connected.add(client);
            for (int stream = 0; stream < STREAMS; stream++) {
                client.get("/");
            }
        }
        return connected;
    }
}
