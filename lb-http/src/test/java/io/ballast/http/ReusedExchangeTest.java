package io.ballast.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.BackendProtocol;
import io.ballast.core.testing.Connections;
import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.ClientSide;
import io.ballast.http.exchange.ConnectionSource;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.exchange.RequestProperties;
import io.ballast.http.exchange.TunnelSide;
import io.ballast.http.h1.backend.BackendLoop;
import io.ballast.http.h2.backend.Http2Backends;
import io.ballast.http.h2.testing.Http2Script;
import io.ballast.http.h2.testing.Http2TestBackend;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.net.PoolTls;
import io.ballast.http.net.Worker;
import io.ballast.http.relay.ClientKeys;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/**
 * Tests a backend connection that fails one exchange, and then ends or fails another exchange. The first failure may
 * already end the other exchange, for example because both belong to the same disconnected client. The object of the
 * other exchange then serves its next request, which the connection must not end or fail.
 */
class ReusedExchangeTest {

    @Test
    void lateResponseDoesNotEndNextRequestOfReusedExchange() throws Exception {
        CountDownLatch both = new CountDownLatch(1);
        Script closing = connection -> {
            connection.readHead();
            connection.readHead();
            connection.await(both).send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
            connection.awaitClose();
        };
        Connections pipelining = new Connections().pipelining(2);
        try (TestBackend backend = TestBackend.playing(closing, Script.ok("last"));
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .loops(1)
                        .connections(pipelining)
                        .backend(backend)
                        .start();
                PoolTls tls = PoolTls.open(BalancerSetup.on(TransportKind.NIO).tlsInputs())) {
            Worker worker = balancer.workers().all().get(0);
            BackendLoop connections = new BackendLoop(worker, tls);
            Client first = new Client(balancer, worker, connections);
            Client second = new Client(balancer, worker, connections);
            second.onFailure = first::beginAnother;

            on(worker, () -> {
                first.begin("/1");
                second.begin("/2");
            });
            balancer.await("both were sent", () -> second.events.contains("sent /2"));
            both.countDown();

            balancer.await("the next request is over", () -> first.events.contains("end"));
            assertThat(first.events).containsExactly("sent /1", "head", "sent /another", "head", "body", "end");
            on(worker, connections::closeIdle);
        }
    }

    @Test
    void lateTimeoutDoesNotFailNextRequestOfReusedExchange() throws Exception {
        Http2Script mute = connection -> connection.keepingAcks().readPreface().readToEnd();
        Http2Script answering = connection -> {
            connection.begin();
            connection.answer(connection.nextRequest(), "last").readToEnd();
        };
        Connections once =
                new Connections().protocol(BackendProtocol.H2C).attempts(1).responseTimeout(Duration.ofMillis(300));
        try (Http2TestBackend backend = Http2TestBackend.playing(mute, answering);
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .loops(1)
                        .connections(once)
                        .backend(backend.address())
                        .start();
                PoolTls tls = PoolTls.open(BalancerSetup.on(TransportKind.NIO).tlsInputs())) {
            Worker worker = balancer.workers().all().get(0);
            BackendLoop http1 = new BackendLoop(worker, tls);
            Http2Backends connections = new Http2Backends(worker, tls, http1, http1::openHttp1WebSocket, http1);
            Client first = new Client(balancer, worker, connections);
            Client second = new Client(balancer, worker, connections);
            second.onFailure = first::beginAnother;

            on(worker, () -> {
                first.begin("/1");
                second.begin("/2");
            });

            balancer.await("the next request is over", () -> first.events.size() >= 5);
            assertThat(first.events).containsExactly("sent /1", "sent /another", "head", "body", "end");
            on(worker, connections::closeIdle);
        }
    }

    private static void on(Worker worker, Runnable task) throws Exception {
        worker.eventLoop().submit(task).get();
    }

    /** A client that cannot retry, and records events of its requests. */
    private static final class Client implements ClientSide {

        private final TestBalancer balancer;
        private final RequestProperties properties = new GetRequest();
        private final Exchange exchange;
        private final List<String> events = new CopyOnWriteArrayList<>();
        private Runnable onFailure = () -> {};
        private String path = "";

        Client(TestBalancer balancer, Worker worker, ConnectionSource connections) {
            this.balancer = balancer;
            this.exchange = new Exchange(
                    worker,
                    connections,
                    balancer.listener(),
                    ClientDeadlines.DEFAULT,
                    this,
                    /* proxiedClient= */ null,
                    new ClientKeys(1));
        }

        void begin(String of) {
            path = of;
            exchange.begin(balancer.pool(), /* generation= */ 0);
        }

        void beginAnother() {
            exchange.abort(Failure.CLIENT_GONE);
            begin("/another");
        }

        @Override
        public void sendRequest(BackendSide backend) {
            events.add("sent " + path);
            ByteBuf head = Unpooled.copiedBuffer("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n", US_ASCII);
            backend.sendHead(head, head.readableBytes(), /* inChunks= */ false);
            backend.endRequest();
        }

        @Override
        public boolean canSendAgain() {
            return false;
        }

        @Override
        public boolean isFirstRequest() {
            return false;
        }

        @Override
        public RequestProperties request() {
            return properties;
        }

        @Override
        public void resumeRequest() {}

        @Override
        public void informational(ResponseScanner head, ByteBuf received) {
            received.release();
        }

        @Override
        public void responseHead(ResponseScanner head, ByteBuf received, int bodyBytes, BodyFraming framing) {
            events.add("head");
            if (bodyBytes > 0) {
                events.add("body");
            }
            received.release();
        }

        @Override
        public TunnelSide tunnel(ResponseScanner head, ByteBuf received) {
            throw new AssertionError("no tunnel was asked for");
        }

        @Override
        public void responseBody(ByteBuf data) {
            if (!events.contains("body")) {
                events.add("body");
            }
            data.release();
        }

        @Override
        public void flush() {}

        @Override
        public boolean isWritable() {
            return true;
        }

        @Override
        public void responseEnd() {
            events.add("end");
        }

        @Override
        public void fail(Failure failure) {
            events.add("failed");
            onFailure.run();
        }
    }
}
