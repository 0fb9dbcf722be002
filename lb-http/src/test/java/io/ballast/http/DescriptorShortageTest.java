package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.core.config.Address;
import io.ballast.core.config.BackendProtocol;
import io.ballast.core.testing.Connections;
import io.ballast.http.config.RouteAction;
import io.ballast.http.config.RouteConfig;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.testing.Http2Script;
import io.ballast.http.h2.testing.Http2TestBackend;
import io.ballast.http.h2.wire.Setting;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.ScarceChannel;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestTimeout;
import io.ballast.net.listen.FileDescriptorReserve;
import java.net.BindException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests requests while no file descriptor is free for new backend connections. */
class DescriptorShortageTest {

    private static final Duration LONG = TestTimeout.LIMIT.multipliedBy(3);
    private static final int STREAMS = 100;

    /** Ends the shortage of file descriptors, so that it does not affect other tests in this process. */
    @AfterEach
    void recover() {
        FileDescriptorReserve.ofProcess().hasRecovered();
    }

    @Test
    void http2RequestsWaitForExistingConnections() throws Exception {
        ScarceChannel.allow(1);
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = withLongTimeouts(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            queryAll(client, STREAMS);
            assertThat(backend.connections()).isEqualTo(1);
            assertThat(balancer.count(Failure.NO_DESCRIPTORS)).isZero();
        }
    }

    /** The existing connection allows one concurrent stream, and no second connection can be made. */
    @Test
    void requestsToHttp2BackendWaitForExistingConnection() throws Exception {
        ScarceChannel.allow(1);
        Http2Script oneAtOnce = Http2Script.ok("ok", Setting.MAX_CONCURRENT_STREAMS, 1);
        try (Http2TestBackend backend = Http2TestBackend.playing(oneAtOnce);
                TestBalancer balancer = BalancerSetup.shortOfDescriptors()
                        .loops(1)
                        .backend(backend.address())
                        .connections(new Connections().connectTimeout(LONG).protocol(BackendProtocol.H2C))
                        .start();
                RawClient first = balancer.client();
                RawClient second = balancer.client();
                RawClient third = balancer.client()) {
            List<RawClient> clients = List.of(first, second, third);
            clients.forEach(client -> client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));

            clients.forEach(client -> assertThat(client.read().body()).isEqualTo("ok"));
            assertThat(backend.connections()).isEqualTo(1);
            assertThat(balancer.count(Failure.NO_DESCRIPTORS)).isZero();
        }
    }

    @Test
    void requestToHttp2BackendFailsWithoutExistingConnection() throws Exception {
        ScarceChannel.allow(0);
        try (Http2TestBackend backend = Http2TestBackend.playing(Http2Script.ok("ok"));
                TestBalancer balancer = BalancerSetup.shortOfDescriptors()
                        .loops(1)
                        .backend(backend.address())
                        .connections(new Connections().connectTimeout(LONG).protocol(BackendProtocol.H2C))
                        .start();
                RawClient client = balancer.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");

            assertThat(client.read().status()).isEqualTo(503);
            assertThat(balancer.count(Failure.NO_DESCRIPTORS)).isEqualTo(1);
        }
    }

    @Test
    void requestsWithConnectionLimitWaitForExistingConnections() throws Exception {
        ScarceChannel.allow(1);
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = BalancerSetup.shortOfDescriptors()
                        .loops(1)
                        .backend(backend)
                        .connections(new Connections().connectTimeout(LONG).maxConnections(STREAMS))
                        .start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            queryAll(client, STREAMS);
            assertThat(backend.connections()).isEqualTo(1);
            assertThat(balancer.count(Failure.NO_DESCRIPTORS)).isZero();
        }
    }

    /** A balancer with one event loop and a long connect timeout. */
    private static TestBalancer withLongTimeouts(TestBackend backend) throws BindException {
        return BalancerSetup.shortOfDescriptors()
                .loops(1)
                .backend(backend)
                .connections(new Connections().connectTimeout(LONG))
                .start();
    }

    /** Sends all requests at once and reads all responses. */
    private static void queryAll(Http2Client client, int count) {
        List<Integer> streams = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            streams.add(client.get("/"));
        }
        for (int stream : streams) {
            assertThat(client.read(stream).body()).isEqualTo("ok");
        }
    }

    /**
     * A request waits for only one waiting request of another client, although that client has sent many requests
     * before.
     */
    @Test
    void otherClientsDoNotDelayRequest() throws Exception {
        ScarceChannel.allow(1);
        CountDownLatch answer = new CountDownLatch(1);
        Script first = connection -> {
            connection.readRequest();
            connection.await(answer).send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        };
        try (TestBackend backend = TestBackend.playing(first, Script.ok("ok"));
                TestBalancer balancer = withLongTimeouts(backend);
                Http2Client client = Http2Client.connect(balancer.port());
                Http2Client other = Http2Client.connect(balancer.port())) {
            List<Integer> streams = new ArrayList<>();
            for (int i = 0; i < STREAMS; i++) {
                streams.add(client.get("/first"));
            }
            balancer.await("all but one wait", () -> waiting(balancer) == STREAMS - 1);
            int stream = other.get("/other");
            balancer.await("all wait", () -> waiting(balancer) == STREAMS);

            answer.countDown();

            assertThat(other.read(stream).body()).isEqualTo("ok");
            for (int each : streams) {
                client.read(each);
            }
            assertThat(backend.requests().get(0)).startsWith("GET /first");
            assertThat(backend.requests().get(2)).startsWith("GET /other");
        }
    }

    @Test
    void freedDescriptorIsUsedForNextConnection() throws Exception {
        ScarceChannel.allow(1);
        String last = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok";
        try (TestBackend backend = TestBackend.playing(Script.answerAndClose(last));
                TestBalancer balancer = withLongTimeouts(backend);
                Http2Client client = Http2Client.connect(balancer.port())) {
            queryAll(client, STREAMS);
            assertThat(backend.connections()).isEqualTo(STREAMS);
        }
    }

    @Test
    void waitBeyondConnectTimeoutReportsShortage() throws Exception {
        ScarceChannel.allow(1);
        try (TestBackend backend = TestBackend.playing(Script.silence());
                TestBalancer balancer = BalancerSetup.shortOfDescriptors()
                        .loops(1)
                        .backend(backend)
                        .connections(new Connections().connectTimeout(Duration.ofMillis(300)))
                        .start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            client.get("/");
            int second = client.get("/");

            assertThat(client.read(second).status()).isEqualTo(503);
            assertThat(balancer.count(Failure.NO_DESCRIPTORS)).isEqualTo(1);
        }
    }

    @Test
    void requestFailsWithoutExistingConnection() throws Exception {
        ScarceChannel.allow(0);
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = BalancerSetup.shortOfDescriptors()
                        .loops(1)
                        .backend(backend)
                        .start();
                RawClient client = balancer.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");

            assertThat(client.read().status()).isEqualTo(503);
            assertThat(balancer.count(Failure.NO_DESCRIPTORS)).isEqualTo(1);

            ScarceChannel.allow(1);
            balancer.await("another try", () -> {
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                return client.read().status() == 200;
            });
        }
    }

    /** The only descriptor goes from the unused connection of one pool to a request for another pool, and back. */
    @ParameterizedTest
    @EnumSource(
            value = BackendProtocol.class,
            names = {"HTTP1", "H2C"})
    void unusedConnectionIsClosedForRequestToAnotherBackend(BackendProtocol protocol) throws Exception {
        ScarceChannel.allow(1);
        try (Served first = Served.by(protocol);
                Served second = Served.by(protocol);
                TestBalancer balancer = BalancerSetup.shortOfDescriptors()
                        .loops(1)
                        .backend(first.address)
                        .pool("other", second.address)
                        .route(RouteConfig.of(null, "/other", new RouteAction.ToPool("other")))
                        .protocol(protocol)
                        .start();
                RawClient client = balancer.client()) {
            for (int i = 0; i < 3; i++) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(client.read().body()).isEqualTo("ok");
                client.send("GET /other HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(client.read().body()).isEqualTo("ok");
            }
            assertThat(balancer.count(Failure.NO_DESCRIPTORS)).isZero();
        }
    }

    @Test
    void unusedConnectionOfAnotherEventLoopIsClosed() throws Exception {
        ScarceChannel.allow(1);
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer = BalancerSetup.shortOfDescriptors()
                        .loops(4)
                        .backend(backend)
                        .start()) {
            for (int i = 0; i < 16; i++) {
                try (RawClient client = balancer.client()) {
                    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                    assertThat(client.read().body()).isEqualTo("ok");
                }
            }
            assertThat(backend.connections()).isGreaterThan(1);
            assertThat(balancer.count(Failure.NO_DESCRIPTORS)).isZero();
        }
    }

    /** A backend that answers all requests. */
    private record Served(AutoCloseable backend, Address address) implements AutoCloseable {

        static Served by(BackendProtocol protocol) {
            if (protocol == BackendProtocol.HTTP1) {
                TestBackend http1 = TestBackend.playing(Script.ok("ok"));
                return new Served(http1, http1.address());
            }
            Http2TestBackend http2 = Http2TestBackend.playing(Http2Script.ok("ok"));
            return new Served(http2, http2.address());
        }

        @Override
        public void close() throws Exception {
            backend.close();
        }
    }

    /** Number of waiting requests; one may be trying to connect. */
    private static long waiting(TestBalancer balancer) {
        return balancer.count(BackendCounter.CONNECTION_WAITS) - balancer.count(BackendCounter.CONNECTION_WAITS_OVER);
    }
}
