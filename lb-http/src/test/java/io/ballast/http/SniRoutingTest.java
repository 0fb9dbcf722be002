package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.config.ListenerProtocol;
import io.ballast.http.config.PathMatch;
import io.ballast.http.config.RouteAction;
import io.ballast.http.config.RouteConfig;
import io.ballast.http.config.RouteMatch;
import io.ballast.http.config.SessionConfig;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/** Tests TLS passthrough with routing by the server name of the ClientHello. */
class SniRoutingTest {

    @EachTransport
    void serverNameSelectsPool(TransportKind transport) throws Exception {
        try (TestBackend rest = respondingWith("rest");
                TestBackend exact = respondingWith("exact");
                TestBackend suffix = respondingWith("suffix");
                TestBackend http2 = respondingWith("http2");
                TestBalancer balancer = BalancerSetup.on(transport)
                        .protocol(ListenerProtocol.TCP)
                        .backend(rest)
                        .pool("exact", exact)
                        .pool("suffix", suffix)
                        .pool("http2", http2)
                        .route(route(List.of("*.example.com"), List.of(), "suffix"))
                        .route(route(List.of("www.example.com"), List.of("h2"), "http2"))
                        .route(route(List.of("www.example.com", "example.com"), List.of(), "exact"))
                        .start()) {
            assertThat(request(balancer, hello("www.example.com"))).isEqualTo("exact");
            assertThat(request(balancer, hello("www.example.com", "http/1.1", "h2")))
                    .isEqualTo("http2");
            assertThat(request(balancer, hello("example.com"))).isEqualTo("exact");
            assertThat(request(balancer, hello("a.b.example.com"))).isEqualTo("suffix");
            assertThat(request(balancer, hello("example.org"))).isEqualTo("rest");
            assertThat(request(balancer, "SSH-2.0-x\r\n".getBytes(StandardCharsets.ISO_8859_1)))
                    .isEqualTo("rest");
        }
    }

    @EachTransport
    void backendGetsUnmodifiedBytes(TransportKind transport) throws Exception {
        byte[] hello = hello("www.example.com");
        try (TestBackend backend = TestBackend.accepting(connection -> connection.echo());
                TestBalancer balancer = BalancerSetup.on(transport)
                        .protocol(ListenerProtocol.TCP)
                        .backend(backend)
                        .route(route(List.of("www.example.com"), List.of(), "pool"))
                        .start();
                RawClient client = balancer.client()) {
            for (byte b : hello) {
                client.send(new byte[] {b});
            }

            byte[] echoed = client.send("more").readExactly(hello.length).getBytes(StandardCharsets.ISO_8859_1);
            assertThat(echoed).isEqualTo(hello);
            assertThat(client.readExactly(4)).isEqualTo("more");
        }
    }

    @EachTransport
    void clientWithoutRouteIsReset(TransportKind transport) throws Exception {
        try (TestBackend backend = respondingWith("x");
                TestBalancer balancer = BalancerSetup.on(transport)
                        .protocol(ListenerProtocol.TCP)
                        .withoutDefaultRoute()
                        .backend(backend)
                        .route(route(List.of("www.example.com"), List.of(), "pool"))
                        .start();
                RawClient client = balancer.client()) {
            assertThat(client.send(hello("example.org")).endAfterAll()).isEqualTo(RawClient.Ending.RESET);

            assertThat(balancer.count(Failure.NO_ROUTE)).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.ERRORS)).isZero();
            assertThat(backend.connections()).isZero();
        }
    }

    @EachTransport
    void clientWithoutServerNameIsReset(TransportKind transport) throws Exception {
        SessionConfig times = new SessionConfig(Duration.ofHours(1), Duration.ofMillis(200));
        try (TestBackend backend = respondingWith("x");
                TestBalancer balancer = BalancerSetup.on(transport)
                        .session(ListenerProtocol.TCP, times)
                        .backend(backend)
                        .route(route(List.of("www.example.com"), List.of(), "pool"))
                        .start();
                RawClient silent = balancer.client()) {
            assertThat(silent.awaitEnd()).isEqualTo(RawClient.Ending.RESET);

            assertThat(backend.connections()).isZero();
        }
    }

    private static String request(TestBalancer balancer, byte[] first) {
        try (RawClient client = balancer.client()) {
            return client.send(first).finishSending().readToEnd();
        }
    }

    private static TestBackend respondingWith(String name) {
        Script script = connection -> {
            connection.readToEnd();
            connection.send(name).close();
        };
        return TestBackend.accepting(script);
    }

    private static RouteConfig route(List<String> names, List<String> alpn, String pool) {
        RouteMatch match = new RouteMatch(
                List.of(), PathMatch.ANY, List.of(), Map.of(), Map.of(), Map.of(), List.of(), names, alpn);
        return RouteConfig.of(match, new RouteAction.ToPool(pool));
    }

    private static byte[] hello(String name, String... alpn) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, null, null);
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setServerNames(List.of(new SNIHostName(name)));
        parameters.setApplicationProtocols(alpn);
        engine.setSSLParameters(parameters);
        ByteBuffer out = ByteBuffer.allocate(32 * 1024);
        engine.wrap(ByteBuffer.allocate(0), out);
        return Arrays.copyOf(out.array(), out.position());
    }
}
