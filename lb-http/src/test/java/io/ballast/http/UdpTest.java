package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.backend.BackendCounter;
import io.ballast.core.config.HostPort;
import io.ballast.http.config.ListenerProtocol;
import io.ballast.http.config.SessionConfig;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.ClosedPort;
import io.ballast.http.testing.DatagramClient;
import io.ballast.http.testing.DatagramEcho;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestTimeout;
import io.ballast.net.config.ClientLimits;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Tests UDP load balancing, with sessions by client address and port. */
class UdpTest {

    private static final int LONGEST = 60_000;

    @EachTransport
    void relaysDatagramsAndReplies(TransportKind transport) throws Exception {
        try (DatagramEcho backend = new DatagramEcho();
                TestBalancer balancer =
                        udp(transport).backend(backend.address()).start();
                DatagramClient client = new DatagramClient(balancer.port())) {
            assertThat(client.request("one")).isEqualTo("one");
            assertThat(client.request("two")).isEqualTo("two");
            String large = "x".repeat(LONGEST);
            assertThat(client.request(large)).isEqualTo(large);

            assertThat(balancer.listener().openConnections()).isEqualTo(1);
            assertThat(balancer.backend(0).inFlight().count()).isEqualTo(1);
            assertThat(backend.clients()).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.REQUESTS)).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.DATAGRAMS_IN)).isEqualTo(3);
            assertThat(balancer.count(ListenerCounter.DATAGRAMS_OUT)).isEqualTo(3);
            assertThat(balancer.count(ListenerCounter.BYTES_IN)).isEqualTo(LONGEST + 6);
            assertThat(balancer.count(ListenerCounter.BYTES_OUT)).isEqualTo(LONGEST + 6);
            assertThat(balancer.count(BackendCounter.BYTES_TO)).isEqualTo(LONGEST + 6);
            assertThat(balancer.count(BackendCounter.BYTES_FROM)).isEqualTo(LONGEST + 6);
            assertThat(balancer.count(BackendCounter.REQUESTS)).isEqualTo(1);
        }
    }

    @EachTransport
    void eachClientHasOwnSession(TransportKind transport) throws Exception {
        try (DatagramEcho one = new DatagramEcho();
                DatagramEcho other = new DatagramEcho();
                TestBalancer balancer = udp(transport)
                        .loops(1)
                        .backend(one.address())
                        .backend(other.address())
                        .start();
                DatagramClient first = new DatagramClient(balancer.port());
                DatagramClient second = new DatagramClient(balancer.port())) {
            for (int i = 0; i < 5; i++) {
                assertThat(first.request("a" + i)).isEqualTo("a" + i);
                assertThat(second.request("b" + i)).isEqualTo("b" + i);
            }

            assertThat(one.clients()).isEqualTo(1);
            assertThat(other.clients()).isEqualTo(1);
        }
    }

    @EachTransport
    void idleSessionEnds(TransportKind transport) throws Exception {
        SessionConfig times = new SessionConfig(Duration.ofMillis(200), TestTimeout.LIMIT);
        try (DatagramEcho backend = new DatagramEcho();
                TestBalancer balancer = BalancerSetup.on(transport)
                        .session(ListenerProtocol.UDP, times)
                        .backend(backend.address())
                        .start();
                DatagramClient client = new DatagramClient(balancer.port())) {
            client.send("one");
            balancer.await("it ends", () -> balancer.count(ListenerCounter.CONNECTIONS_CLOSED) == 1);
            balancer.awaitQuiet();

            client.send("two");
            balancer.await("another begins", () -> balancer.count(ListenerCounter.REQUESTS) == 2);
        }
    }

    @EachTransport
    void clientsBeyondLimitAreIgnored(TransportKind transport) throws Exception {
        try (DatagramEcho backend = new DatagramEcho();
                TestBalancer balancer = udp(transport)
                        .backend(backend.address())
                        .limits(ClientLimits.DEFAULT.withConnections(1))
                        .start();
                DatagramClient first = new DatagramClient(balancer.port());
                DatagramClient second = new DatagramClient(balancer.port())) {
            assertThat(first.request("a")).isEqualTo("a");
            second.send("b");

            balancer.await("it is counted", () -> balancer.count(ListenerCounter.CONNECTIONS_REFUSED) == 1);
            balancer.await("it is dropped", () -> balancer.count(ListenerCounter.DATAGRAMS_DROPPED) == 1);
            assertThat(first.request("c")).isEqualTo("c");
            assertThatThrownBy(() -> second.receive(Duration.ofMillis(1))).isInstanceOf(SocketTimeoutException.class);
        }
    }

    @EachTransport
    void sessionsStayWithinBudget(TransportKind transport) throws Exception {
        long budget = 2 * 1024 * 1024;
        List<DatagramClient> clients = new ArrayList<>();
        try (DatagramEcho backend = new DatagramEcho();
                TestBalancer balancer = udp(transport)
                        .backend(backend.address())
                        .transitBytes(budget)
                        .start()) {
            for (int i = 1; i <= 100; i++) {
                int sent = i;
                DatagramClient client = new DatagramClient(balancer.port());
                clients.add(client);
                client.send("a");
                balancer.await("it is there", () -> balancer.count(ListenerCounter.DATAGRAMS_IN) == sent);
            }
            balancer.await(
                    "all are answered or dropped",
                    () -> balancer.count(ListenerCounter.DATAGRAMS_OUT)
                                    + balancer.count(ListenerCounter.DATAGRAMS_DROPPED)
                            == clients.size());

            assertThat(balancer.buffersInUse()).isLessThan(budget);
            assertThat(balancer.count(ListenerCounter.CONNECTIONS_REFUSED))
                    .isEqualTo(balancer.count(ListenerCounter.DATAGRAMS_DROPPED));
            assertThat(clients.get(0).receive(TestTimeout.LIMIT)).isEqualTo("a");
        } finally {
            clients.forEach(DatagramClient::close);
        }
    }

    @EachTransport
    void closedBackendPortEndsSession(TransportKind transport) throws Exception {
        HostPort closed = ClosedPort.find();
        try (TestBalancer balancer = udp(transport).backend(closed).start();
                DatagramClient client = new DatagramClient(balancer.port())) {
            client.send("a");

            balancer.await("it is counted", () -> balancer.count(Failure.CONNECT_REFUSED) == 1);
            balancer.awaitQuiet();
            assertThat(balancer.count(BackendCounter.FAILED_CONNECT_REFUSED)).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.ERRORS)).isEqualTo(1);
        }
    }

    /** Simulates the end of an iperf3 test: the server closes its socket while client datagrams are in flight. */
    @EachTransport
    void refusalAfterReplyIsNoFailure(TransportKind transport) throws Exception {
        try (DatagramEcho backend = new DatagramEcho();
                TestBalancer balancer =
                        udp(transport).backend(backend.address()).start();
                DatagramClient client = new DatagramClient(balancer.port())) {
            assertThat(client.request("a")).isEqualTo("a");

            backend.close();
            for (int i = 2; i <= 5; i++) {
                int sent = i;
                client.send("late");
                balancer.await("it came", () -> balancer.count(ListenerCounter.DATAGRAMS_IN) == sent);
            }

            balancer.awaitQuiet();
            assertThat(balancer.count(ListenerCounter.REQUESTS_COMPLETED)).isEqualTo(1);
            assertThat(balancer.count(BackendCounter.FAILED_CONNECT_REFUSED)).isZero();
            assertThat(balancer.count(ListenerCounter.ERRORS)).isZero();
            assertThat(balancer.connectErrors()).isEmpty();
        }
    }

    @EachTransport
    void drainKeepsSessionsAndRejectsNewOnes(TransportKind transport) throws Exception {
        try (DatagramEcho backend = new DatagramEcho();
                TestBalancer balancer =
                        udp(transport).backend(backend.address()).start();
                DatagramClient client = new DatagramClient(balancer.port());
                DatagramClient late = new DatagramClient(balancer.port())) {
            client.request("a");

            assertThat(balancer.frontend().drain(Duration.ZERO)).isEqualTo(1);

            assertThat(client.request("b")).isEqualTo("b");
            late.send("c");
            balancer.await("it is dropped", () -> balancer.count(ListenerCounter.DATAGRAMS_DROPPED) == 1);
        }
    }

    @EachTransport
    void drainEndsWhenSessionsAreIdle(TransportKind transport) throws Exception {
        try (DatagramEcho backend = new DatagramEcho();
                TestBalancer balancer = BalancerSetup.on(transport)
                        .session(ListenerProtocol.UDP, new SessionConfig(Duration.ofMillis(300), TestTimeout.LIMIT))
                        .backend(backend.address())
                        .start();
                DatagramClient client = new DatagramClient(balancer.port());
                DatagramClient late = new DatagramClient(balancer.port())) {
            client.request("a");

            CompletableFuture<Integer> drained =
                    CompletableFuture.supplyAsync(() -> balancer.frontend().drain(TestTimeout.LIMIT));
            balancer.await("it drains", () -> balancer.listener().isDraining());
            late.send("b");

            assertThat(drained).succeedsWithin(TestTimeout.LIMIT).isEqualTo(0);
            balancer.await("it is dropped", () -> balancer.count(ListenerCounter.DATAGRAMS_DROPPED) == 1);
            assertThat(balancer.count(ListenerCounter.CONNECTIONS_OPENED)).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.CONNECTIONS_CLOSED)).isEqualTo(1);
        }
    }

    @EachTransport
    void sessionFollowsChangedBackendAddress(TransportKind transport) throws Exception {
        try (DatagramEcho former = new DatagramEcho();
                DatagramEcho next = new DatagramEcho();
                TestBalancer balancer = udp(transport).backend(former.address()).start();
                DatagramClient client = new DatagramClient(balancer.port())) {
            assertThat(client.request("one")).isEqualTo("one");

            balancer.backend(0)
                    .socketAddress(new InetSocketAddress(
                            next.address().host(), next.address().port()));

            assertThat(client.request("two")).isEqualTo("two");
            assertThat(client.request("three")).isEqualTo("three");
            assertThat(next.clients()).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.REQUESTS)).isEqualTo(2);
        }
    }

    @EachTransport
    void sessionLeavesRemovedBackend(TransportKind transport) throws Exception {
        try (DatagramEcho former = new DatagramEcho();
                DatagramEcho next = new DatagramEcho();
                TestBalancer balancer = udp(transport).backend(former.address()).start();
                DatagramClient client = new DatagramClient(balancer.port())) {
            assertThat(client.request("one")).isEqualTo("one");

            balancer.reload(udp(transport).backend(next.address()));

            assertThat(client.request("two")).isEqualTo("two");
            assertThat(next.clients()).isEqualTo(1);
        }
    }

    private static BalancerSetup udp(TransportKind transport) {
        return BalancerSetup.on(transport).protocol(ListenerProtocol.UDP);
    }
}
