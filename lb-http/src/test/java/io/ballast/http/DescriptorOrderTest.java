package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.Address;
import io.ballast.core.config.BackendProtocol;
import io.ballast.core.config.SentProxyHeader;
import io.ballast.core.testing.Connections;
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
import java.io.IOException;
import java.net.BindException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the order of requests that wait for a file descriptor, and the number of attempts that they cause. */
class DescriptorOrderTest {

    private static final Duration LONG = TestTimeout.LIMIT.multipliedBy(3);
    private static final int CLIENTS = 10;
    private static final int ATTEMPTS = 5;
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** The ways in which clients share the only backend connection that the balancer can open. */
    private enum BackendKind {
        HTTP_1(new Connections()),
        LIMITED(new Connections().maxConnections(100)),
        PIPELINED(new Connections().pipelining(2)),
        /** Each request uses a connection of its own. */
        PROXIED(new Connections().proxyHeader(SentProxyHeader.V1)),
        HTTP_2(new Connections().protocol(BackendProtocol.H2C)),
        /** Each client uses a connection of its own. */
        HTTP_2_PROXIED(new Connections().protocol(BackendProtocol.H2C).proxyHeader(SentProxyHeader.V1));

        private final Connections settings;

        BackendKind(Connections settings) {
            this.settings = settings.connectTimeout(LONG);
        }

        boolean isHttp2() {
            return this == HTTP_2 || this == HTTP_2_PROXIED;
        }

        boolean isProxied() {
            return this == PROXIED || this == HTTP_2_PROXIED;
        }
    }

    /** Ends the shortage of file descriptors, so that it does not affect other tests in this process. */
    @AfterEach
    void recover() {
        FileDescriptorReserve.ofProcess().hasRecovered();
    }

    @ParameterizedTest
    @EnumSource(BackendKind.class)
    void waitingRequestsAreServedInOrderOfArrival(BackendKind kind) throws Exception {
        try (Scene scene = new Scene(kind, /* closes= */ false)) {
            scene.release.countDown();

            scene.readAll();
            assertThat(scene.served).containsExactlyElementsOf(scene.arrived);
            assertThat(scene.balancer.count(Failure.NO_DESCRIPTORS)).isZero();
        }
    }

    /** A backend that closes its connection frees a descriptor, which the first waiting request uses. */
    @ParameterizedTest
    @EnumSource(names = {"HTTP_1", "LIMITED"})
    void freedDescriptorGoesToFirstWaitingRequest(BackendKind kind) throws Exception {
        try (Scene scene = new Scene(kind, /* closes= */ true)) {
            scene.release.countDown();

            scene.readAll();
            assertThat(scene.served).containsExactlyElementsOf(scene.arrived);
            assertThat(scene.balancer.count(Failure.NO_DESCRIPTORS)).isZero();
        }
    }

    /** Only one attempt is made in 100 ms, regardless of the number of waiting requests. */
    @ParameterizedTest
    @EnumSource(BackendKind.class)
    void eventLoopPacesAttempts(BackendKind kind) throws Exception {
        try (Scene scene = new Scene(kind, /* closes= */ false)) {
            int before = ScarceChannel.refused();
            long beginNanos = System.nanoTime();
            scene.balancer.await("further attempts", () -> ScarceChannel.refused() - before >= ATTEMPTS);
            int attempts = ScarceChannel.refused() - before;
            long nanos = System.nanoTime() - beginNanos;

            assertThat(attempts).isLessThanOrEqualTo((int) (nanos / INTERVAL_NANOS) + 2);
            scene.release.countDown();
            scene.readAll();
        }
    }

    /**
     * Clients of both HTTP versions, whose requests arrive one after the other while the first request is being served.
     */
    private static final class Scene implements AutoCloseable {

        final CountDownLatch release = new CountDownLatch(1);
        final Queue<String> served = new ConcurrentLinkedQueue<>();
        final List<String> arrived =
                IntStream.range(0, CLIENTS).mapToObj(i -> "/" + i).toList();
        final TestBalancer balancer;
        private final AutoCloseable backend;
        private final List<RawClient> clients = new ArrayList<>();
        private final List<Http2Client> http2Clients = new ArrayList<>();

        Scene(BackendKind kind, boolean closes) throws IOException {
            ScarceChannel.allow(1);
            if (kind.isHttp2()) {
                Http2TestBackend http2 = Http2TestBackend.playing(http2Script());
                if (kind.isProxied()) {
                    http2.proxied();
                }
                backend = http2;
                balancer = start(http2.address(), kind);
            } else {
                TestBackend http1 = TestBackend.accepting(http1Script(closes));
                if (kind.isProxied()) {
                    http1.proxied();
                }
                backend = http1;
                balancer = start(http1.address(), kind);
            }
            for (int i = 0; i < CLIENTS; i++) {
                int inFlight = i + 1;
                send(i);
                balancer.await(
                        "the request to arrive",
                        () -> balancer.backend(0).inFlight().count() == inFlight);
            }
        }

        private static TestBalancer start(Address address, BackendKind kind) throws BindException {
            return BalancerSetup.shortOfDescriptors()
                    .loops(1)
                    .backend(address)
                    .connections(kind.settings)
                    .start();
        }

        private Script http1Script(boolean closes) {
            String close = closes ? "Connection: close\r\n" : "";
            return connection -> {
                do {
                    served.add(connection.readRequest().split(" ", 3)[1]);
                    connection.await(release);
                    connection.send("HTTP/1.1 200 OK\r\n" + close + "Content-Length: 2\r\n\r\nok");
                } while (!closes);
            };
        }

        private Http2Script http2Script() {
            return Http2Script.serving(
                    (connection, request) -> {
                        served.add(request.header(":path"));
                        connection.await(release).answer(request, "ok");
                    },
                    Setting.MAX_CONCURRENT_STREAMS,
                    1);
        }

        private void send(int number) throws IOException {
            if (number % 2 == 0) {
                RawClient client = balancer.client();
                clients.add(client);
                client.send("GET /" + number + " HTTP/1.1\r\nHost: a\r\n\r\n");
            } else {
                Http2Client client = Http2Client.connect(balancer.port());
                http2Clients.add(client);
                client.get("/" + number);
            }
        }

        void readAll() {
            clients.forEach(client -> assertThat(client.read().body()).isEqualTo("ok"));
            http2Clients.forEach(client -> assertThat(client.read(1).body()).isEqualTo("ok"));
        }

        @Override
        public void close() throws Exception {
            release.countDown();
            clients.forEach(RawClient::close);
            http2Clients.forEach(Http2Client::close);
            try (backend) {
                balancer.close();
            }
        }
    }
}
