package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.config.BackendTls;
import io.ballast.core.config.SentProxyHeader;
import io.ballast.core.testing.Connections;
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
import io.ballast.http.testing.TestTimeout;
import io.ballast.net.config.ClientLimits;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.config.TlsProfile;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import io.ballast.net.testing.TestCertificate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.StandardConstants;
import org.junit.jupiter.api.io.TempDir;

/** Tests TCP sessions with TLS on the client side, the backend side or both. */
class TcpTlsTest {

    private static final TestCertificate LOCAL = TestCertificate.create();
    private static final TestCertificate BACKEND = TestCertificate.create();

    @TempDir
    private Path directory;

    @EachTransport
    void backendReceivesDecryptedData(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.accepting(
                        connection -> connection.send("hello\n").echo());
                TestBalancer balancer = ending(transport).backend(backend).start();
                RawClient client = connect(balancer)) {
            assertThat(client.readExactly(6)).isEqualTo("hello\n");
            assertThat(client.send("abc").readExactly(3)).isEqualTo("abc");

            client.finishSending();

            assertThat(client.awaitEnd()).isEqualTo(RawClient.Ending.CLOSED); // a truncation would throw an exception
            balancer.awaitQuiet();
            assertThat(balancer.count(ListenerCounter.CONNECTIONS_OPENED)).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.CONNECTIONS_CLOSED)).isEqualTo(1);
            assertThat(balancer.count(ListenerCounter.BYTES_IN)).isEqualTo(3);
            assertThat(balancer.count(ListenerCounter.BYTES_OUT)).isEqualTo(9);
            assertThat(balancer.count(ListenerCounter.ERRORS)).isZero();
        }
    }

    @EachTransport
    void clientReceivesRestAfterCloseNotify(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.accepting(TcpScripts.answersAfterTheEnd());
                TestBalancer balancer = ending(transport).backend(backend).start();
                RawClient client = connect(balancer)) {
            client.send("0123456789").finishSending();

            assertThat(client.readToEnd()).isEqualTo("got 10");
        }
    }

    @EachTransport
    void halfClosedBackendReceivesRest(TransportKind transport) throws Exception {
        CompletableFuture<String> got = new CompletableFuture<>();
        try (TestBackend backend = TestBackend.accepting(TcpScripts.finishesFirst(got));
                TestBalancer balancer = ending(transport).backend(backend).start();
                RawClient client = connect(balancer)) {
            assertThat(client.readToEnd()).isEqualTo("bye");

            client.send("still ", "here").finishSending();

            assertThat(got.get(TestTimeout.LIMIT.toMillis(), TimeUnit.MILLISECONDS))
                    .isEqualTo("still here");
        }
    }

    @EachTransport
    void halfCloseWorksWithTlsOnBothSides(TransportKind transport) throws Exception {
        CompletableFuture<String> got = new CompletableFuture<>();
        try (TestBackend answers = TestBackend.accepting(TcpScripts.answersAfterTheEnd(), TcpScripts.finishesFirst(got))
                        .by(BACKEND.server());
                TestBalancer balancer = ending(transport)
                        .backendTls(trusting(BACKEND))
                        .backend(answers)
                        .start();
                RawClient first = connect(balancer)) {
            first.send("0123456789").finishSending();
            assertThat(first.readToEnd()).isEqualTo("got 10");
            try (RawClient second = connect(balancer)) {
                assertThat(second.readToEnd()).isEqualTo("bye");
                second.send("still ", "here").finishSending();

                assertThat(got.get(TestTimeout.LIMIT.toMillis(), TimeUnit.MILLISECONDS))
                        .isEqualTo("still here");
            }
            assertThat(answers.sessions().get(0).getProtocol()).isEqualTo("TLSv1.3");
        }
    }

    /** TLS 1.2 has no half-close: data before close_notify is still forwarded, then the session ends. */
    @EachTransport
    void closeNotifyOfOldClientIsForwarded(TransportKind transport) throws Exception {
        CompletableFuture<String> got = new CompletableFuture<>();
        Script reads = connection -> {
            got.complete(new String(connection.readToEnd(), StandardCharsets.ISO_8859_1));
            connection.send("too late");
            connection.close();
        };
        try (TestBackend backend = TestBackend.accepting(reads);
                TestBalancer balancer = ending(transport).backend(backend).start();
                RawClient client = RawClient.connect(balancer.port(), LOCAL.clientOf("TLSv1.2"), "localhost")) {
            client.send("0123456789").finishSending();

            assertThat(got.get(TestTimeout.LIMIT.toMillis(), TimeUnit.MILLISECONDS))
                    .isEqualTo("0123456789");
            client.endAfterAll();
            balancer.awaitQuiet();
        }
    }

    @EachTransport
    void clientCloseWithoutCloseNotifyIsEnd(TransportKind transport) throws Exception {
        CompletableFuture<String> got = new CompletableFuture<>();
        Script reads = connection -> got.complete(new String(connection.readToEnd(), StandardCharsets.ISO_8859_1));
        try (TestBackend backend = TestBackend.accepting(reads);
                TestBalancer balancer = ending(transport).backend(backend).start();
                RawClient client = connect(balancer)) {
            client.send("abc").finishSendingWithoutGoodbye();

            assertThat(got.get(TestTimeout.LIMIT.toMillis(), TimeUnit.MILLISECONDS))
                    .isEqualTo("abc");
        }
    }

    @EachTransport
    void truncationByBackendSendsNoCloseNotify(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.accepting(TcpScripts.resetsInTheMiddle());
                TestBalancer balancer = ending(transport).backend(backend).start();
                RawClient client = connect(balancer)) {
            assertThat(client.readExactly(4)).isEqualTo("half");
            client.send("go");

            assertThat(client.awaitEnd()).isEqualTo(RawClient.Ending.RESET);
            balancer.await("it is counted", () -> balancer.count(Failure.RESPONSE_CUT) == 1);
        }
    }

    @EachTransport
    void slowReaderAppliesBackPressure(TransportKind transport) throws Exception {
        try (TestBackend backend =
                        TestBackend.accepting(BackPressure.fastBackend()).by(BACKEND.server());
                TestBalancer balancer = ending(transport)
                        .backendTls(trusting(BACKEND))
                        .backend(backend)
                        .start();
                RawClient client =
                        RawClient.connect(balancer.port(), BackPressure.SMALL_BUFFER, LOCAL.client(), "localhost")) {
            BackPressure.verifySlowReader(balancer, client);
        }
    }

    @EachTransport
    void slowBackendAppliesBackPressure(TransportKind transport) throws Exception {
        BackPressure backPressure = new BackPressure();
        try (TestBackend backend =
                        TestBackend.accepting(backPressure.slowBackend()).by(BACKEND.server());
                TestBalancer balancer = ending(transport)
                        .backendTls(trusting(BACKEND))
                        .backend(backend)
                        .start();
                RawClient client = connect(balancer)) {
            backPressure.verifySlowBackend(balancer, client);
        }
    }

    @EachTransport
    void stalledHandshakeTimesOut(TransportKind transport) throws Exception {
        SessionConfig times = new SessionConfig(Duration.ofHours(1), Duration.ofMillis(200));
        try (TestBackend backend = TestBackend.accepting(connection -> connection.echo());
                TestBalancer balancer = ending(transport)
                        .session(ListenerProtocol.TCP, times)
                        .backend(backend)
                        .start();
                RawClient silent = balancer.client()) {
            silent.endAfterAll();

            balancer.await("it is counted", () -> balancer.count(ListenerCounter.TLS_TIMED_OUT) == 1);
            assertThat(backend.connections()).isZero();
            assertThat(balancer.count(ListenerCounter.REQUESTS)).isZero();
        }
    }

    @EachTransport
    void handshakeCountsTowardClientLimit(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.accepting(connection -> connection.echo());
                TestBalancer balancer = ending(transport)
                        .limits(ClientLimits.DEFAULT.withConnections(1))
                        .backend(backend)
                        .start();
                RawClient silent = balancer.client()) {
            balancer.await("it is there", () -> balancer.listener().openConnections() == 1);

            assertThatThrownBy(() -> connect(balancer)).isInstanceOf(UncheckedIOException.class);

            assertThat(balancer.count(ListenerCounter.CONNECTIONS_REFUSED)).isEqualTo(1);
            silent.close();
            balancer.await("it is gone", () -> balancer.listener().openConnections() == 0);
            try (RawClient another = connect(balancer)) {
                assertThat(another.send("a").readExactly(1)).isEqualTo("a");
            }
        }
    }

    @EachTransport
    void serverNameAndProtocolSelectPool(TransportKind transport) throws Exception {
        ListenerTls tls = new ListenerTls(
                List.of(LOCAL.write(directory)),
                ListenerTls.DEFAULT_PROFILE,
                Optional.empty(),
                Optional.empty(),
                List.of("mqtt", "imap"),
                ListenerTls.DEFAULT_PLAIN_HTTP);
        try (TestBackend rest = respondingWith("rest");
                TestBackend named = respondingWith("named");
                TestBackend mail = respondingWith("mail");
                TestBalancer balancer = BalancerSetup.on(transport)
                        .protocol(ListenerProtocol.TCP)
                        .tls(tls)
                        .backend(rest)
                        .pool("named", named)
                        .pool("mail", mail)
                        .route(route(List.of("mail.example"), List.of("imap"), "mail"))
                        .route(route(List.of("mail.example"), List.of(), "named"))
                        .start()) {
            assertThat(request(balancer, "Mail.example")).isEqualTo("named");
            assertThat(request(balancer, "other.example")).isEqualTo("rest");
            assertThat(request(balancer, "Mail.example", "imap")).isEqualTo("mail");
            // the listener selects mqtt, so the route for imap does not match
            assertThat(request(balancer, "Mail.example", "imap", "mqtt")).isEqualTo("named");
            assertThat(request(balancer, "Mail.example", "other")).isEqualTo("named");
        }
    }

    @EachTransport
    void proxyHeaderPrecedesTls(TransportKind transport) throws Exception {
        CompletableFuture<String> line = new CompletableFuture<>();
        Script header = connection -> {
            StringBuilder read = new StringBuilder();
            while (read.indexOf("\r\n") < 0) {
                read.append(new String(connection.readExactly(1), StandardCharsets.ISO_8859_1));
            }
            line.complete(read.toString());
            connection.secure(BACKEND.server()).echo();
        };
        try (TestBackend backend = TestBackend.accepting(header);
                TestBalancer balancer = BalancerSetup.on(transport)
                        .protocol(ListenerProtocol.TCP)
                        .connections(new Connections().proxyHeader(SentProxyHeader.V1))
                        .backendTls(trusting(BACKEND))
                        .backend(backend)
                        .start();
                RawClient client = balancer.client()) {
            assertThat(client.send("abc").readExactly(3)).isEqualTo("abc");

            assertThat(line.get(TestTimeout.LIMIT.toMillis(), TimeUnit.MILLISECONDS))
                    .startsWith("PROXY TCP4 127.0.0.1 127.0.0.1 ");
        }
    }

    @EachTransport
    void unverifiedBackendReceivesNothing(TransportKind transport) throws Exception {
        try (TestBackend backend =
                        TestBackend.accepting(connection -> connection.echo()).by(BACKEND.server());
                TestBalancer balancer = BalancerSetup.on(transport)
                        .protocol(ListenerProtocol.TCP)
                        .backendTls(trusting(LOCAL))
                        .backend(backend)
                        .start();
                RawClient client = balancer.client()) {
            assertThat(client.endAfterAll()).isEqualTo(RawClient.Ending.RESET);

            balancer.await("it is counted", () -> balancer.count(Failure.CONNECT_FAILED) == 1);
            assertThat(balancer.connectErrors())
                    .isNotEmpty()
                    .allMatch("the certificate's issuer is not trusted"::equals);
        }
    }

    @EachTransport
    void ignoresFinalDotOfHost(TransportKind transport) throws Exception {
        TestCertificate mail = TestCertificate.forHosts("mail.example");
        ListenerTls tls = new ListenerTls(
                List.of(LOCAL.write(directory, "local"), mail.write(directory, "mail")),
                TlsProfile.INTERMEDIATE,
                Optional.empty(),
                Optional.empty());
        try (TestBackend rest = respondingWith("rest");
                TestBackend named = respondingWith("named");
                TestBalancer balancer = BalancerSetup.on(transport)
                        .protocol(ListenerProtocol.TCP)
                        .tls(tls)
                        .backend(rest)
                        .pool("named", named)
                        .route(route(List.of("mail.example"), List.of(), "named"))
                        .start()) {
            // the client trusts no other certificate
            assertThat(request(balancer, mail, "Mail.example.")).isEqualTo("named");
        }
    }

    private BalancerSetup ending(TransportKind transport) throws IOException {
        return BalancerSetup.on(transport).protocol(ListenerProtocol.TCP).tls(ListenerTls.of(LOCAL.write(directory)));
    }

    private BackendTls trusting(TestCertificate backend) throws IOException {
        Path ca = backend.write(directory, "backend").certificate();
        return new BackendTls(Optional.of(ca), Optional.of("localhost"), Optional.empty(), /* insecure= */ false);
    }

    private static RawClient connect(TestBalancer balancer) {
        return RawClient.connect(balancer.port(), LOCAL.client(), "localhost");
    }

    private static TestBackend respondingWith(String name) {
        return TestBackend.accepting(connection -> {
            connection.readToEnd();
            connection.send(name).close();
        });
    }

    private static RouteConfig route(List<String> names, List<String> alpn, String pool) {
        RouteMatch match = new RouteMatch(
                List.of(), PathMatch.ANY, List.of(), Map.of(), Map.of(), Map.of(), List.of(), names, alpn);
        return RouteConfig.of(match, new RouteAction.ToPool(pool));
    }

    /** A server name with a trailing dot, which the JDK's own type rejects. */
    private static final class RawServerName extends SNIServerName {

        RawServerName(String host) {
            super(StandardConstants.SNI_HOST_NAME, host.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private static String request(TestBalancer balancer, String name, String... alpn) throws IOException {
        return request(balancer, LOCAL, name, alpn);
    }

    private static String request(TestBalancer balancer, TestCertificate trusted, String name, String... alpn)
            throws IOException {
        SSLSocket socket = (SSLSocket) trusted.client().getSocketFactory().createSocket("127.0.0.1", balancer.port());
        try (socket) {
            socket.setSoTimeout((int) TestTimeout.LIMIT.toMillis());
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setServerNames(List.of(new RawServerName(name)));
            parameters.setApplicationProtocols(alpn);
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }
}
