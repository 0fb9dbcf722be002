package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import io.ballast.net.transport.NettyTransport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;

/** Tests a frontend that has handed its sockets over to another process. */
class FrontendHandoverTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    @EachTransport
    void connectionsCloseAfterNextResponse(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start();
                RawClient used = balancer.client();
                RawClient fresh = balancer.client()) {
            assertThat(used.send(GET).read().header("Connection")).isNull();
            balancer.goRound();

            balancer.frontend().releaseToSuccessor();

            assertThat(balancer.frontend().awaitIdle(Duration.ZERO)).isFalse();
            assertThat(used.send(GET).read().header("Connection")).isEqualTo("close");
            assertThat(fresh.send(GET).read().header("Connection")).isEqualTo("close");
            assertThat(balancer.frontend().awaitIdle(Duration.ofSeconds(10))).isTrue();
        }
    }

    @EachTransport
    void acceptsNoConnections(TransportKind transport) throws Exception {
        assumeTrue(NettyTransport.choose(transport).inheritsPorts());
        try (TestBackend backend = TestBackend.playing(Script.ok("ok"));
                TestBalancer balancer =
                        BalancerSetup.on(transport).backend(backend).start()) {
            int port = balancer.port();

            balancer.frontend().releaseToSuccessor();

            // An io_uring socket closes with some delay.
            balancer.await("no connection is accepted", () -> isRefused(port));
            assertThat(balancer.count(ListenerCounter.CONNECTIONS_OPENED)).isZero();
        }
    }

    private static boolean isRefused(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return !socket.isConnected();
        } catch (IOException e) {
            return true;
        }
    }
}
