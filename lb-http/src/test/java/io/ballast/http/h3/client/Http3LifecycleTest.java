package io.ballast.http.h3.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h3.testing.Http3Answer;
import io.ballast.http.h3.testing.Http3Client;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.ClosedPort;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import io.ballast.net.testing.Limits;
import io.ballast.net.testing.TestCertificate;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests how requests and connections of HTTP/3 end, and how a listener changes. */
class Http3LifecycleTest {

    private static final TestCertificate LOCAL = TestCertificate.create();
    private static final int MUCH = 5_000_000;

    @TempDir
    private Path directory;

    private BalancerSetup setup(TransportKind transport) throws IOException {
        return BalancerSetup.on(transport)
                .tls(ListenerTls.of(LOCAL.write(directory)))
                .http3();
    }

    @Test
    void cancelledUploadEndsAtBackend() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        Script waiting = connection -> {
            connection.readHead();
            connection.awaitClose();
            ended.countDown();
        };
        try (TestBackend backend = TestBackend.playing(waiting);
                TestBalancer balancer =
                        setup(TransportKind.NIO).backend(backend).start();
                Http3Client client = Http3Client.connect(balancer.port())) {
            Http3Client.Request request =
                    client.open().head(Http3Client.fields("POST", "/")).data(new byte[10]);
            balancer.await("it is sent", () -> balancer.backend(0).inFlight().count() == 1);
            request.cancel();

            balancer.await("it is over", () -> balancer.count(ListenerCounter.REQUESTS_COMPLETED) == 1);
            ended.await();
            assertThat(balancer.count(Failure.CLIENT_GONE)).isOne();
            assertThat(client.isOpen()).isTrue();
        }
    }

    @Test
    void cancelledDownloadEndsAtBackend() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        Script pouring = connection -> {
            connection.readRequest();
            try {
                connection.send("HTTP/1.1 200 OK\r\n\r\n");
                while (true) {
                    connection.send(new byte[64 * 1024]);
                }
            } catch (IOException e) {
                ended.countDown();
            }
        };
        try (TestBackend backend = TestBackend.playing(pouring);
                TestBalancer balancer =
                        setup(TransportKind.NIO).backend(backend).start();
                Http3Client client = Http3Client.connect(balancer.port())) {
            Http3Client.Request request = client.get("/");
            balancer.await("it has begun", () -> request.answer().bytes().length > 0);
            request.stopReceiving();

            ended.await();
            balancer.await("it is over", () -> balancer.count(ListenerCounter.REQUESTS_COMPLETED) == 1);
        }
    }

    @Test
    void responseCutByBackendResetsTheStream() throws Exception {
        Script cut = Script.answerAndClose("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
        try (TestBackend backend = TestBackend.playing(cut);
                TestBalancer balancer =
                        setup(TransportKind.NIO).backend(backend).start();
                Http3Client client = Http3Client.connect(balancer.port())) {
            Http3Answer answer = client.get("/").read();

            assertThat(answer.isFailed()).isTrue();
            assertThat(client.isOpen()).isTrue();
        }
    }

    @Test
    void slowBackendStopsTheUpload() throws Exception {
        CountDownLatch read = new CountDownLatch(1);
        Script slow = connection -> {
            String head = connection.readHead();
            connection.await(read);
            int length = connection.readBody(head).length();
            String answer = Integer.toString(length);
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: " + answer.length() + "\r\n\r\n" + answer);
        };
        try (TestBackend backend = TestBackend.playing(slow);
                TestBalancer balancer =
                        setup(TransportKind.NIO).backend(backend).start();
                Http3Client client = Http3Client.connect(balancer.port())) {
            Http3Client.Request request =
                    client.open().head(Http3Client.fields("POST", "/", "content-length", Integer.toString(MUCH)));
            CompletableFuture<Void> upload = CompletableFuture.runAsync(() -> {
                try {
                    request.body(new byte[MUCH]).end();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            balancer.awaitStandstill(() -> balancer.count(ListenerCounter.BYTES_IN));
            assertThat(balancer.buffersInUse()).isLessThan(2_000_000);
            read.countDown();
            upload.join();

            assertThat(request.read().body()).isEqualTo(Integer.toString(MUCH));
        }
    }

    @EachTransport
    void drainFinishesRequestsAndSendsGoAway(TransportKind transport) throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        try (TestBackend backend = TestBackend.playing(Script.okAfter(answer, "late"));
                TestBalancer balancer = setup(transport).backend(backend).start();
                Http3Client client = Http3Client.connect(balancer.port())) {
            Http3Client.Request request = client.get("/");
            balancer.await("it is sent", () -> balancer.count(ListenerCounter.REQUESTS) == 1);
            CompletableFuture<Integer> drained =
                    CompletableFuture.supplyAsync(() -> balancer.frontend().drain(Duration.ofSeconds(30)));
            balancer.await("the client is told", () -> client.goAway() != null);
            answer.countDown();

            assertThat(request.read().body()).isEqualTo("late");
            assertThat(client.goAway()).isEqualTo(4);
            client.awaitClose();
            assertThat(drained.join()).isZero();
        }
    }

    @EachTransport
    void loopsShareThePort(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer =
                        setup(transport).loops(2).backend(backend).start()) {
            List<Http3Client> clients = new ArrayList<>();
            try {
                for (int i = 0; i < 12; i++) {
                    clients.add(Http3Client.connect(balancer.port()));
                }
                for (Http3Client client : clients) {
                    assertThat(client.get("/").read().body()).isEqualTo("hello");
                }
                assertThat(balancer.listener().openConnections()).isEqualTo(12);
            } finally {
                clients.forEach(Http3Client::close);
            }
        }
    }

    @Test
    void replacedCertificateIsServed() throws Exception {
        TestCertificate next = TestCertificate.create();
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer =
                        setup(TransportKind.NIO).backend(backend).start()) {
            try (Http3Client client = Http3Client.connect(balancer.port())) {
                assertThat(client.certificate()).isEqualTo(LOCAL.certificate());
            }
            BalancerSetup changed = BalancerSetup.on(TransportKind.NIO)
                    .tls(ListenerTls.of(next.write(directory, "next")))
                    .http3()
                    .backend(backend);
            balancer.reload(changed);

            try (Http3Client client = Http3Client.connect(balancer.port())) {
                assertThat(client.certificate()).isEqualTo(next.certificate());
                assertThat(client.get("/").read().body()).isEqualTo("hello");
            }
        }
    }

    @Test
    void certificateIsSelectedBySni() throws Exception {
        TestCertificate one = TestCertificate.forHosts("one.test");
        TestCertificate two = TestCertificate.forHosts("two.test");
        ListenerTls tls = ListenerTls.of(one.write(directory, "one"))
                .withCertificates(List.of(one.write(directory, "one"), two.write(directory, "two")));
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .tls(tls)
                        .http3()
                        .backend(backend)
                        .start();
                Http3Client first = Http3Client.connect(balancer.port(), "one.test");
                Http3Client second = Http3Client.connect(balancer.port(), "two.test")) {
            assertThat(first.certificate()).isEqualTo(one.certificate());
            assertThat(second.certificate()).isEqualTo(two.certificate());
        }
    }

    @Test
    void connectionLimitAppliesToBothTransports() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = setup(TransportKind.NIO)
                        .limits(new Limits().connectionsPerClient(1))
                        .backend(backend)
                        .start();
                Http3Client client = Http3Client.connect(balancer.port());
                RawClient tcp = balancer.client()) {
            tcp.endAfterAll();

            assertThat(balancer.count(ListenerCounter.CONNECTIONS_REFUSED_PER_CLIENT))
                    .isOne();
            assertThat(client.get("/").read().status()).isEqualTo(200);
        }
    }

    @Test
    void idleConnectionEnds() throws Exception {
        ClientDeadlines soon = new ClientDeadlines(
                Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofMillis(100));
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = setup(TransportKind.NIO)
                        .deadlines(soon)
                        .backend(backend)
                        .start();
                Http3Client client = Http3Client.connect(balancer.port())) {
            assertThat(client.get("/").read().status()).isEqualTo(200);

            client.awaitClose();
        }
    }

    @Test
    void reloadOpensAndClosesHttp3() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer =
                        setup(TransportKind.NIO).http3(false).backend(backend).start()) {
            BalancerSetup with = setup(TransportKind.NIO).backend(backend);
            balancer.reload(with);
            try (Http3Client client = Http3Client.connect(balancer.port())) {
                assertThat(client.get("/").read().body()).isEqualTo("hello");
                balancer.reload(with.http3(false));

                client.awaitClose();
            }
        }
    }

    @Test
    void responseOverTcpAnnouncesHttp3() throws Exception {
        int port = ClosedPort.find().port();
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer =
                        setup(TransportKind.NIO).port(port).backend(backend).start();
                RawClient client = RawClient.connect(balancer.port(), LOCAL.client(), "localhost")) {
            client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");

            assertThat(client.read().header("Alt-Svc")).isEqualTo("h3=\":" + port + "\"; ma=86400");
        }
    }

    @Test
    void listenerWithoutLibraryServesTcp() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = setup(TransportKind.NIO)
                        .withoutQuic("expected by the test")
                        .backend(backend)
                        .start();
                RawClient client = RawClient.connect(balancer.port(), LOCAL.client(), "localhost")) {
            client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");

            assertThat(client.read().header("Alt-Svc")).isNull();
            assertThat(balancer.listener().config().http3()).isFalse();
        }
    }
}
