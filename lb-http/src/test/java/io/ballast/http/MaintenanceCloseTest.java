package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus;
import io.ballast.http.config.ListenerProtocol;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.DatagramClient;
import io.ballast.http.testing.DatagramEcho;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.Upgrades;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.time.Instant;
import java.util.List;

/** Tests that long-lived sessions to a backend are closed when an operator puts it under maintenance. */
class MaintenanceCloseTest {

    @EachTransport
    void maintenanceClosesTcpSessionsOfPoolOnly(TransportKind transport) throws Exception {
        try (TestBackend one = TestBackend.accepting(
                        connection -> connection.send("hello\n").echo());
                TestBackend two = TestBackend.accepting(
                        connection -> connection.send("hello\n").echo());
                TestBalancer balancer = BalancerSetup.on(transport)
                        .protocol(ListenerProtocol.TCP)
                        .loops(1)
                        .backend(one)
                        .backend(two)
                        .start();
                RawClient first = balancer.client()) {
            assertThat(first.readExactly(6)).isEqualTo("hello\n");
            Backend ofFirst = balancer.backend(balancer.backend(0).inFlight().count() == 1 ? 0 : 1);
            try (RawClient second = balancer.client()) {
                assertThat(second.readExactly(6)).isEqualTo("hello\n");

                balancer.frontend().closeSessions(List.of(ofFirst)).join();

                balancer.await("it is over", () -> ofFirst.inFlight().count() == 0);
                assertThat(first.awaitEnd()).isEqualTo(RawClient.Ending.RESET);
                assertThat(balancer.count(Failure.MAINTENANCE)).isEqualTo(1);
                assertThat(second.send("abc").readExactly(3)).isEqualTo("abc");
            }
        }
    }

    @EachTransport
    void maintenanceClosesPendingConnects(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.accepting(connection -> connection.echo());
                TestBalancer balancer = BalancerSetup.on(transport)
                        .protocol(ListenerProtocol.TCP)
                        .backend(backend)
                        .start()) {
            // The pool is not updated, so it still selects the backend, as shortly before an operator starts the
            // maintenance.
            balancer.backend(0).health(maintenance());
            assertThat(endOfANewClient(balancer)).isEqualTo(RawClient.Ending.RESET);
            balancer.awaitQuiet();
        }
    }

    /** Returns how the connection ends, possibly before the client sees it established. */
    private static RawClient.Ending endOfANewClient(TestBalancer balancer) throws IOException {
        try (RawClient client = balancer.client()) {
            return client.awaitEnd();
        } catch (UncheckedIOException e) {
            assertThat(e).hasCauseInstanceOf(SocketException.class);
            return RawClient.Ending.RESET;
        }
    }

    @EachTransport
    void maintenanceClosesTunnelsAndCompletesRequests(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Upgrades.echo());
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send(Upgrades.REQUEST).readHead();
            assertThat(client.send("abc").readExactly(3)).isEqualTo("abc");

            balancer.frontend().closeSessions(List.of(balancer.backend(0))).join();

            balancer.await("it is over", () -> balancer.count(ListenerCounter.TUNNELS_CLOSED) == 1);
            assertThat(client.awaitEnd()).isEqualTo(RawClient.Ending.RESET);
            assertThat(balancer.count(Failure.MAINTENANCE)).isEqualTo(1);
            balancer.awaitQuiet();
        }
    }

    @EachTransport
    void maintenanceEndsUdpSessions(TransportKind transport) throws Exception {
        try (DatagramEcho backend = new DatagramEcho();
                TestBalancer balancer = BalancerSetup.on(transport)
                        .protocol(ListenerProtocol.UDP)
                        .backend(backend.address())
                        .start();
                DatagramClient client = new DatagramClient(balancer.port())) {
            assertThat(client.request("one")).isEqualTo("one");

            balancer.frontend().closeSessions(List.of(balancer.backend(0))).join();

            balancer.await("it is over", () -> balancer.count(ListenerCounter.CONNECTIONS_CLOSED) == 1);
            assertThat(client.request("two")).as("in another session").isEqualTo("two");
            assertThat(balancer.count(ListenerCounter.REQUESTS)).isEqualTo(2);
        }
    }

    private static HealthStatus maintenance() {
        return new HealthStatus(
                BackendState.MAINTENANCE,
                Instant.EPOCH,
                HealthStatus.Origin.OPERATOR,
                "override by ann",
                HealthStatus.LastCheck.NONE);
    }
}
