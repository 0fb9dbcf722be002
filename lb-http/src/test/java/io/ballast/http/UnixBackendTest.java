package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.core.config.BackendProtocol;
import io.ballast.core.config.BackendTls;
import io.ballast.core.config.UnixSocket;
import io.ballast.core.config.header.HostHeader;
import io.ballast.http.config.ListenerProtocol;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h2.testing.Http2Script;
import io.ballast.http.h2.testing.Http2TestBackend;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.SocketFile;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.TestCertificate;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests backends that listen on Unix sockets. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class UnixBackendTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n";

    @TempDir
    private Path directory;

    private UnixSocket address;

    @BeforeEach
    void place() {
        address = new UnixSocket(directory.resolve("app.sock").toString());
    }

    private static BalancerSetup setup() {
        return BalancerSetup.on(TransportKind.EPOLL);
    }

    private static BalancerSetup tcp() {
        return setup().protocol(ListenerProtocol.TCP);
    }

    @Test
    void requestsShareConnection() throws Exception {
        try (TestBackend backend = TestBackend.playing(address, Script.echo());
                TestBalancer balancer = setup().backend(backend).start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().body()).contains("Host: a.example\r\n");
            assertThat(client.send(GET).read().status()).isEqualTo(200);

            assertThat(backend.connections()).isEqualTo(1);
            assertThat(balancer.backend(0)).hasToString("pool/" + address);
        }
    }

    @Test
    void defaultHostIsLocalhost() throws Exception {
        try (TestBackend backend = TestBackend.playing(address, Script.echo());
                TestBalancer balancer = setup().backend(backend)
                        .host(new HostHeader.OfBackend())
                        .start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().body()).contains("Host: localhost\r\n");
        }
    }

    @Test
    void usesConfiguredHttp2() throws Exception {
        try (Http2TestBackend backend = Http2TestBackend.playing(address, Http2Script.ok("hello"));
                TestBalancer balancer =
                        setup().protocol(BackendProtocol.H2C).backend(address).start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().body()).isEqualTo("hello");
            assertThat(backend.connections()).isEqualTo(1);
        }
    }

    @Test
    void clientAndBackendMayUseUnixSockets() throws Exception {
        UnixSocket front = new UnixSocket(directory.resolve("web.sock").toString());
        try (TestBackend backend = TestBackend.playing(address, Script.ok("hello"));
                TestBalancer balancer =
                        setup().bind(front, SocketFile.DEFAULT).backend(backend).start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().body()).isEqualTo("hello");
        }
    }

    @Test
    void certificateIsVerifiedForLocalhost() throws Exception {
        TestCertificate localhost = TestCertificate.forHosts("localhost");
        try (TestBackend backend =
                        TestBackend.playing(address, Script.ok("hello")).by(localhost.server());
                TestBalancer balancer = setup().backend(backend)
                        .backendTls(trusting(localhost, Optional.empty()))
                        .start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().body()).isEqualTo("hello");
        }
    }

    @Test
    void certificateMustMatchServerName() throws Exception {
        TestCertificate other = TestCertificate.forHosts("app.example");
        try (TestBackend backend =
                        TestBackend.playing(address, Script.ok("hello")).by(other.server());
                TestBalancer strict = setup().backend(backend)
                        .backendTls(trusting(other, Optional.empty()))
                        .start();
                TestBalancer named = setup().backend(backend)
                        .backendTls(trusting(other, Optional.of("app.example")))
                        .start();
                RawClient one = strict.client();
                RawClient two = named.client()) {
            assertThat(one.send(GET).read().status()).isEqualTo(502);
            assertThat(two.send(GET).read().body()).isEqualTo("hello");
        }
    }

    private BackendTls trusting(TestCertificate issuer, Optional<String> serverName) throws IOException {
        Path ca = issuer.write(directory, "ca").certificate();
        return new BackendTls(Optional.of(ca), serverName, Optional.empty(), /* insecure= */ false);
    }

    @Test
    void halfClosedClientReceivesRest() throws Exception {
        try (TestBackend backend = TestBackend.accepting(address, TcpScripts.answersAfterTheEnd());
                TestBalancer balancer = tcp().backend(backend).start();
                RawClient client = balancer.client()) {
            client.send("0123456789").finishSending();

            assertThat(client.readToEnd()).isEqualTo("got 10");
        }
    }

    @Test
    void relaysLargeStreamsInBothDirections() throws Exception {
        String much = "0123456789abcdef".repeat(256 * 1024);
        Script readsThenWrites = connection -> {
            connection.readExactly(much.length());
            connection.send(much);
            connection.close();
        };
        try (TestBackend backend = TestBackend.accepting(address, readsThenWrites);
                TestBalancer balancer = tcp().backend(backend).start();
                RawClient client = balancer.client()) {
            client.send(much);

            assertThat(client.readToEnd().equals(much)).isTrue();
        }
    }

    @Test
    void missingSocketRetriesOtherBackend() throws Exception {
        UnixSocket missing = new UnixSocket(directory.resolve("missing.sock").toString());
        assertMovesOn(missing, "socket file does not exist");
    }

    @Test
    void socketOfDeadProcessRetriesOtherBackend() throws Exception {
        UnixSocket dead = new UnixSocket(directory.resolve("dead.sock").toString());
        ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                .bind(UnixDomainSocketAddress.of(dead.path()))
                .close();
        assertMovesOn(dead, "connection refused");
    }

    private void assertMovesOn(UnixSocket failing, String reason) throws IOException {
        try (TestBackend backend = TestBackend.playing(address, Script.ok("hello"));
                TestBalancer balancer =
                        setup().backend(failing).backend(backend).start();
                RawClient client = balancer.client()) {
            for (int i = 0; i < 4; i++) {
                assertThat(client.send(GET).read().body()).isEqualTo("hello");
            }

            long refused = balancer.count(BackendCounter.FAILED_CONNECT_REFUSED);
            assertThat(refused).isPositive();
            assertThat(balancer.count(BackendCounter.RETRIES)).isEqualTo(refused);
            assertThat(balancer.count(ListenerCounter.ERRORS)).isZero();
            assertThat(balancer.connectErrors()).isNotEmpty().allMatch(reason::equals);
        }
    }

    @Test
    void tcpSessionRetriesOtherBackend() throws Exception {
        UnixSocket missing = new UnixSocket(directory.resolve("missing.sock").toString());
        try (TestBackend backend = TestBackend.accepting(address, connection -> connection.echo());
                TestBalancer balancer = tcp().backend(missing).backend(backend).start();
                RawClient one = balancer.client();
                RawClient two = balancer.client()) {
            assertThat(one.send("abc").readExactly(3)).isEqualTo("abc");
            assertThat(two.send("abc").readExactly(3)).isEqualTo("abc");
            assertThat(balancer.count(Failure.CONNECT_REFUSED)).isZero();
        }
    }

    @Test
    void closedIdleConnectionIsReplaced() throws Exception {
        try (TestBackend backend = TestBackend.playing(address, Script.ok("hello"));
                TestBalancer balancer = setup().backend(backend).start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().body()).isEqualTo("hello");
            backend.closeConnections();
            backend.awaitConnectionEnd();

            assertThat(client.send(GET).read().body()).isEqualTo("hello");
            assertThat(backend.connections()).isEqualTo(2);
        }
    }
}
