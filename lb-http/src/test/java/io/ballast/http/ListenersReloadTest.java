package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.config.TlsFiles;
import io.ballast.core.config.UnixSocket;
import io.ballast.http.config.ListenerProtocol;
import io.ballast.http.exchange.Listener;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.ClosedPort;
import io.ballast.http.testing.DatagramClient;
import io.ballast.http.testing.DatagramEcho;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestTimeout;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.config.SocketFile;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests that listeners are added, removed or replaced at run time. */
class ListenersReloadTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    @TempDir
    private Path directory;

    @EachTransport
    void newListenerServesWhileOthersContinue(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"))) {
            BalancerSetup setup = BalancerSetup.on(transport).backend(backend);
            try (TestBalancer balancer = setup.start();
                    RawClient before = balancer.client()) {
                Listener listener = balancer.listener();
                before.send(GET).read();

                balancer.reload(setup.listener("second"));

                try (RawClient client = RawClient.connect(balancer.frontend().port(1))) {
                    assertThat(client.send(GET).read().body()).isEqualTo("ok");
                }
                assertThat(before.send(GET).read().header("Connection")).isNull();
                assertThat(balancer.listener()).isSameAs(listener);
                assertThat(balancer.frontend().activeListeners())
                        .extracting(each -> each.listener().config().name())
                        .containsExactly("web", "second");
            }
        }
    }

    @EachTransport
    void preparedListenerAcceptsNothingBeforeCommit(TransportKind transport) throws Exception {
        int port = ClosedPort.find().port();
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"))) {
            BalancerSetup setup = BalancerSetup.on(transport).backend(backend);
            try (TestBalancer balancer = setup.start()) {
                List<RawClient> early = new ArrayList<>();

                balancer.reload(setup.listener("second", port), () -> {
                    early.add(RawClient.connect(port).send(GET));
                    balancer.goRound();
                    assertThat(backend.requests()).isEmpty();
                });

                assertThat(early.get(0).read().body()).isEqualTo("ok");
                early.get(0).close();
            }
        }
    }

    @EachTransport
    void overlappingAddressIsSharedDuringDrain(TransportKind transport) throws Exception {
        int port = ClosedPort.find().port();
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"))) {
            BalancerSetup setup = BalancerSetup.on(transport).backend(backend).port(port);
            try (TestBalancer balancer = setup.start()) {
                served(balancer).close();
                setup.address("0.0.0.0");

                if (transport == TransportKind.NIO) {
                    assertThatThrownBy(() -> balancer.reload(setup)).isInstanceOf(BindException.class);
                    served(balancer).close();
                } else {
                    balancer.reload(setup);
                    Listener wide = balancer.listener();
                    // An io_uring socket closes with some delay.
                    balancer.await("it serves", () -> isServed(port) && wide.openConnections() == 0);
                    assertThat(wide.counters().sum(ListenerCounter.REQUESTS)).isPositive();
                }
            }
        }
    }

    @EachTransport
    void removedListenerCompletesRunningRequests(TransportKind transport) throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        try (TestBackend backend = TestBackend.playing(Script.okAfter(answer, "ok"))) {
            BalancerSetup setup = BalancerSetup.on(transport)
                    .backend(backend)
                    .grace(TestTimeout.LIMIT)
                    .listener("second");
            try (TestBalancer balancer = setup.start()) {
                Listener second = balancer.frontend().listeners().get(1);
                int port = balancer.frontend().port(1);
                try (RawClient idle = RawClient.connect(port);
                        RawClient running = RawClient.connect(port)) {
                    running.send(GET);
                    backend.nextRequest();
                    balancer.await("both are there", () -> second.openConnections() == 2);

                    balancer.reload(setup.withoutListener("second"));

                    assertThat(balancer.frontend().listeners()).hasSize(1);
                    balancer.await("none is accepted", () -> isRefused(port));
                    answer.countDown();
                    assertThat(running.read().header("Connection")).isEqualTo("close");
                    assertThat(idle.send(GET).read().header("Connection")).isEqualTo("close");
                    assertThat(idle.endAfterAll()).isEqualTo(RawClient.Ending.CLOSED);
                    balancer.await("all have gone", () -> second.openConnections() == 0);
                }
            }
        }
    }

    @EachTransport
    void idleConnectionClosesWithinGracePeriod(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"))) {
            BalancerSetup setup = BalancerSetup.on(transport)
                    .backend(backend)
                    .grace(Duration.ofMillis(400))
                    .listener("second");
            try (TestBalancer balancer = setup.start();
                    RawClient unused = RawClient.connect(balancer.frontend().port(1))) {
                unused.send(GET).read();

                balancer.reload(setup.withoutListener("second"));

                assertThat(unused.endAfterAll()).isEqualTo(RawClient.Ending.CLOSED);
            }
        }
    }

    /** Idle connections stay open, because a close could lose a request that is just being sent. */
    @EachTransport
    void renamedListenerLosesNoRequest(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"))) {
            BalancerSetup setup = BalancerSetup.on(transport).backend(backend).grace(TestTimeout.LIMIT);
            try (TestBalancer balancer = setup.start()) {
                List<RawClient> idle = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    RawClient client = balancer.client();
                    assertThat(client.send(GET).read().header("Connection")).isNull();
                    idle.add(client);
                }

                balancer.reload(setup.name("renamed"));

                for (RawClient client : idle) {
                    RawResponse last = client.send(GET).read();
                    assertThat(last.body()).isEqualTo("ok");
                    assertThat(last.header("Connection")).isEqualTo("close");
                    client.close();
                }
            }
        }
    }

    @EachTransport
    void exchangesBeyondGracePeriodAreCut(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.silence())) {
            BalancerSetup setup = BalancerSetup.on(transport).backend(backend).listener("second");
            try (TestBalancer balancer = setup.start();
                    RawClient running = RawClient.connect(balancer.frontend().port(1))) {
                running.send(GET);
                backend.nextRequest();

                balancer.reload(setup.withoutListener("second"));

                running.awaitEnd();
            }
        }
    }

    @EachTransport
    void renamedListenerKeepsSockets(TransportKind transport) throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        try (TestBackend backend = TestBackend.playing(Script.okAfter(answer, "ok"))) {
            BalancerSetup setup = BalancerSetup.on(transport).backend(backend).grace(TestTimeout.LIMIT);
            try (TestBalancer balancer = setup.start();
                    RawClient running = balancer.client()) {
                Listener former = balancer.listener();
                int port = balancer.port();
                running.send(GET);
                backend.nextRequest();

                balancer.reload(setup.name("renamed"));

                assertThat(balancer.port()).isEqualTo(port);
                assertThat(balancer.listener()).isNotSameAs(former);
                answer.countDown();
                try (RawClient later = balancer.client()) {
                    assertThat(later.send(GET).read().header("Connection")).isNull();
                    assertThat(balancer.count(ListenerCounter.REQUESTS)).isEqualTo(1);
                    assertThat(running.read().header("Connection")).isEqualTo("close");
                    balancer.await("the former is idle", () -> former.openConnections() == 0);
                    balancer.reload(setup); // this reload must not close the sockets that were taken over
                    assertThat(later.send(GET).read().body()).isEqualTo("ok");
                }
                served(balancer).close();
            }
        }
    }

    @EachTransport
    void pendingProxyHeaderIsAwaited(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"))) {
            BalancerSetup setup = BalancerSetup.on(transport)
                    .backend(backend)
                    .grace(TestTimeout.LIMIT)
                    .loops(1)
                    .proxyProtocol("127.0.0.0/8");
            try (TestBalancer balancer = setup.start();
                    RawClient early = balancer.client();
                    RawClient later = balancer.client()) {
                String proxied = "PROXY TCP4 192.0.2.7 192.0.2.1 4711 443\r\n" + GET;
                // the balancer has accepted the early connection before this one
                assertThat(later.send(proxied).read().status()).isEqualTo(200);

                balancer.reload(setup.name("renamed"));

                assertThat(later.send(GET).read().header("Connection")).isEqualTo("close");
                assertThat(early.send(proxied).read().body()).isEqualTo("ok");
            }
        }
    }

    @EachTransport
    void listenerWithOtherProtocolKeepsSockets(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"))) {
            BalancerSetup setup = BalancerSetup.on(transport)
                    .backend(backend)
                    .port(ClosedPort.find().port());
            try (TestBalancer balancer = setup.start()) {
                served(balancer).close();

                balancer.reload(setup.protocol(ListenerProtocol.TCP));

                try (RawClient client = balancer.client()) {
                    assertThat(client.send("GET /session HTTP/1.1\r\n\r\n")
                                    .read()
                                    .body())
                            .isEqualTo("ok");
                }
                assertThat(backend.requests().get(1)).startsWith("GET /session HTTP/1.1\r\n\r\n");
            }
        }
    }

    @EachTransport
    void udpListenerHandsOverSocketsAndSessionsContinue(TransportKind transport) throws Exception {
        try (DatagramEcho backend = new DatagramEcho()) {
            BalancerSetup setup = BalancerSetup.on(transport)
                    .backend(backend.address())
                    .protocol(ListenerProtocol.UDP)
                    .grace(TestTimeout.LIMIT);
            try (TestBalancer balancer = setup.start();
                    DatagramClient before = new DatagramClient(balancer.port())) {
                assertThat(before.request("one")).isEqualTo("one");
                Listener former = balancer.listener();

                balancer.reload(setup.name("renamed"));

                assertThat(before.request("two")).isEqualTo("two");
                try (DatagramClient later = new DatagramClient(balancer.port())) {
                    assertThat(later.request("three")).isEqualTo("three");
                }
                assertThat(former.counters().sum(ListenerCounter.DATAGRAMS_OUT)).isEqualTo(2);
                assertThat(former.openConnections()).isEqualTo(1);
                assertThat(balancer.count(ListenerCounter.DATAGRAMS_IN)).isEqualTo(1);
                assertThat(balancer.listener().openConnections()).isEqualTo(1);
            }
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void unixSocketKeepsFileAndMode() throws Exception {
        Path path = directory.resolve("web.sock");
        UnixSocket address = new UnixSocket(path.toString());
        SocketFile other = new SocketFile(Optional.of(0600), Optional.empty(), Optional.empty());
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"))) {
            BalancerSetup setup =
                    BalancerSetup.on(TransportKind.EPOLL).backend(backend).bind(address, SocketFile.DEFAULT);
            try (TestBalancer balancer = setup.start()) {
                served(balancer).close();
                Object file = Files.readAttributes(path, "unix:ino").get("ino");

                assertThat(balancer.reload(setup.name("renamed"))).isEmpty();
                served(balancer).close();
                assertThat(balancer.reload(setup.bind(address, other))).hasSize(1);

                served(balancer).close();
                assertThat(Files.readAttributes(path, "unix:ino").get("ino")).isEqualTo(file);
            }
            assertThat(path).doesNotExist();
        }
    }

    @EachTransport
    void failedChangeKeepsEverything(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            BalancerSetup setup = BalancerSetup.on(transport).backend(backend);
            try (TestBalancer balancer = setup.start();
                    RawClient client = served(balancer)) {
                List<Listener> before = balancer.frontend().listeners();

                setup.respond("/", 404, "").port(taken.getLocalPort());
                assertThatThrownBy(() -> balancer.reload(setup))
                        .isInstanceOf(BindException.class)
                        .hasMessageContaining(taken.getLocalPort() + ": the port is already in use");

                assertThat(balancer.frontend().listeners()).isEqualTo(before);
                assertThat(client.send(GET).read().body()).isEqualTo("ok");
            }
        }
    }

    @EachTransport
    void failedChangeClosesOpenedSockets(TransportKind transport) throws Exception {
        int free = ClosedPort.find().port();
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            BalancerSetup setup = BalancerSetup.on(transport).backend(backend);
            try (TestBalancer balancer = setup.start();
                    RawClient client = served(balancer)) {
                setup.listener("second", free).listener("third", taken.getLocalPort());
                assertThatThrownBy(() -> balancer.reload(setup)).isInstanceOf(BindException.class);

                assertThat(client.send(GET).read().header("Connection")).isNull();
                balancer.await("the port is free", () -> isFree(free));
            }
        }
    }

    @EachTransport
    void missingCertificateRejectsChange(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"))) {
            BalancerSetup setup = BalancerSetup.on(transport).backend(backend);
            try (TestBalancer balancer = setup.start();
                    RawClient client = served(balancer)) {
                setup.tls(ListenerTls.of(
                        new TlsFiles(directory.resolve("none.pem"), directory.resolve("none.key"), Optional.empty())));
                assertThatThrownBy(() -> balancer.reload(setup))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("none.pem");

                assertThat(client.send(GET).read().header("Connection")).isNull();
            }
        }
    }

    @EachTransport
    void abandonedChangeKeepsEverything(TransportKind transport) throws Exception {
        int free = ClosedPort.find().port();
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"))) {
            BalancerSetup setup = BalancerSetup.on(transport).backend(backend).listener("second");
            try (TestBalancer balancer = setup.start();
                    RawClient client = served(balancer)) {
                balancer.abandon(setup.name("renamed").listener("third").port(free));
                assertThat(client.send(GET).read().header("Connection")).isNull();
                balancer.await("the port is free", () -> isFree(free));

                balancer.abandon(setup.port(0).name("renamed again"));
                served(balancer).close();
            }
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isServed(int port) {
        try (RawClient client = RawClient.connect(port)) {
            return client.send(GET).read().body().equals("ok");
        } catch (UncheckedIOException | AssertionError e) {
            return false;
        }
    }

    private static boolean isRefused(int port) {
        try (RawClient client = RawClient.connect(port)) {
            return client == null;
        } catch (UncheckedIOException e) {
            return true;
        }
    }

    private static RawClient served(TestBalancer balancer) {
        RawClient client = balancer.client();
        assertThat(client.send(GET).read().body()).isEqualTo("ok");
        return client;
    }
}
