package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.config.AccessLogConfig;
import io.ballast.http.config.AccessLogConfig.Format;
import io.ballast.http.config.ListenerProtocol;
import io.ballast.http.config.SessionConfig;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.ClosedPort;
import io.ballast.http.testing.DatagramClient;
import io.ballast.http.testing.DatagramEcho;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestTimeout;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import io.ballast.net.testing.Limits;
import io.ballast.net.testing.TestCertificate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the access log of TCP and UDP listeners, which has a line for each session. */
class SessionLogTest {

    private static final TestCertificate LOCAL = TestCertificate.forHosts("sql.example");
    private static final String MILLIS = "\\d+\\.\\d{3}";

    @TempDir
    private Path directory;

    @EachTransport
    void tcpSessionIsLoggedWithAllFields(TransportKind transport) throws Exception {
        TestBackend backend =
                TestBackend.accepting(connection -> connection.send("hello\n").echo());
        try (backend;
                TestBalancer balancer =
                        tcp(transport, Format.JSON).backend(backend).start();
                RawClient client = balancer.client()) {
            assertThat(client.readExactly(6)).isEqualTo("hello\n");
            assertThat(client.send("abc").readExactly(3)).isEqualTo("abc");
            client.finishSending().readToEnd();
            client.close();
            close(balancer);

            assertThat(line())
                    .matches(
                            "\\{\"time\":\"20[^\"]+Z\",\"listener\":\"web\",\"protocol\":\"tcp\",\"client\":\"127.0.0.1\","
                                    + "\"client_port\":[1-9]\\d*,\"pool\":\"pool\",\"backend\":\"" + backend.address()
                                    + "\",\"attempts\":1,\"bytes_in\":3,\"bytes_out\":9,\"queue_ms\":" + MILLIS
                                    + ",\"connect_ms\":"
                                    + MILLIS + ",\"total_ms\":" + MILLIS
                                    + ",\"end\":\"ok\",\"reason\":null,\"tls_version\":null,"
                                    + "\"tls_cipher\":null,\"tls_server_name\":null,\"tls_alpn\":null,\"tls_client_subject\":null\\}");
            assertThat(balancer.listener().accessLogDropped()).isZero();
        }
    }

    @EachTransport
    void textMatchesHaproxy(TransportKind transport) throws Exception {
        TestBackend backend = TestBackend.accepting(connection -> connection.echo());
        try (backend;
                TestBalancer balancer =
                        tcp(transport, Format.TEXT).backend(backend).start();
                RawClient client = balancer.client()) {
            assertThat(client.send("abc").readExactly(3)).isEqualTo("abc");
            client.finishSending().readToEnd();
            client.close();
            close(balancer);

            assertThat(line())
                    .matches(
                            "127\\.0\\.0\\.1:\\d+ \\[\\d\\d/\\w{3}/\\d{4}:\\d\\d:\\d\\d:\\d\\d\\.\\d{3} \\+0000\\] web pool/"
                                    + backend.address() + " \\d+/\\d+/\\d+ 3/3 ok - -");
        }
    }

    @EachTransport
    void terminatedTlsIsLogged(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.accepting(connection -> connection.echo());
                TestBalancer balancer = tcp(transport, Format.JSON)
                        .tls(ListenerTls.of(LOCAL.write(directory)))
                        .backend(backend)
                        .start();
                RawClient client = RawClient.connect(balancer.port(), LOCAL.client(), "sql.example")) {
            assertThat(client.send("abc").readExactly(3)).isEqualTo("abc");
            client.finishSending().readToEnd();
            client.close();
            close(balancer);

            assertThat(line())
                    .contains("\"bytes_in\":3,\"bytes_out\":3")
                    .contains("\"tls_version\":\"TLSv1.3\",\"tls_cipher\":\"TLS_")
                    .contains("\"tls_server_name\":\"sql.example\"");
        }
    }

    /** No route needs the server name, so the connection to the backend does not wait for it. */
    @EachTransport
    void serverNameOfPassedThroughTlsIsLogged(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello")).by(LOCAL.server());
                TestBalancer balancer =
                        tcp(transport, Format.JSON).backend(backend).start();
                RawClient client = RawClient.connect(balancer.port(), LOCAL.client(), "sql.example")) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").read();
            client.close();
            close(balancer);

            assertThat(line()).contains("\"tls_version\":null").contains("\"tls_server_name\":\"sql.example\"");
        }
    }

    @EachTransport
    void failureIsLoggedWithItsName(TransportKind transport) throws Exception {
        try (TestBalancer balancer =
                tcp(transport, Format.JSON).backend(ClosedPort.find()).start()) {
            try (RawClient client = balancer.client()) {
                client.endAfterAll();
            } catch (UncheckedIOException e) {
                // the balancer reset the connection before connect returned
            }
            balancer.await("it is counted", () -> balancer.count(Failure.CONNECT_REFUSED) == 1);
            close(balancer);

            assertThat(line())
                    .contains("\"pool\":\"pool\"", "\"attempts\":1,\"bytes_in\":0,\"bytes_out\":0")
                    .contains("\"connect_ms\":null")
                    .contains("\"end\":\"connect_refused\",\"reason\":\"connection refused\"");
        }
    }

    @EachTransport
    void idleSessionIsLoggedAsTimeout(TransportKind transport) throws Exception {
        SessionConfig times = new SessionConfig(Duration.ofMillis(200), TestTimeout.LIMIT);
        try (TestBackend backend = TestBackend.accepting(connection -> connection.awaitClose());
                TestBalancer balancer = logging(
                                BalancerSetup.on(transport).session(ListenerProtocol.TCP, times), Format.TEXT)
                        .backend(backend)
                        .start();
                RawClient client = balancer.client()) {
            client.awaitEnd();
            client.close();
            close(balancer);

            assertThat(line()).endsWith(" 0/0 " + Failure.SESSION_IDLE.label() + " - -");
        }
    }

    @EachTransport
    void udpSessionsAreLogged(TransportKind transport) throws Exception {
        SessionConfig times = new SessionConfig(Duration.ofMillis(200), TestTimeout.LIMIT);
        try (DatagramEcho backend = new DatagramEcho();
                TestBalancer balancer = logging(
                                BalancerSetup.on(transport).session(ListenerProtocol.UDP, times), Format.JSON)
                        .backend(backend.address())
                        .start();
                DatagramClient client = new DatagramClient(balancer.port())) {
            assertThat(client.request("one")).isEqualTo("one");
            assertThat(client.request("four")).isEqualTo("four");
            balancer.await("it ends", () -> balancer.count(ListenerCounter.CONNECTIONS_CLOSED) == 1);
            close(balancer);

            assertThat(line())
                    .contains("\"protocol\":\"udp\",\"client\":\"127.0.0.1\",\"client_port\":")
                    .contains("\"pool\":\"pool\",\"backend\":\"" + backend.address() + "\",\"attempts\":1")
                    .contains("\"bytes_in\":7,\"bytes_out\":7")
                    .contains("\"end\":\"ok\"");
        }
    }

    /** At the session limit, a datagram of another client is dropped without a log line. */
    @EachTransport
    void rejectedClientsAreNotLogged(TransportKind transport) throws Exception {
        SessionConfig times = new SessionConfig(Duration.ofMillis(200), TestTimeout.LIMIT);
        try (DatagramEcho backend = new DatagramEcho();
                TestBalancer balancer = logging(
                                BalancerSetup.on(transport).session(ListenerProtocol.UDP, times), Format.TEXT)
                        .limits(new Limits().connectionsPerClient(1))
                        .backend(backend.address())
                        .start();
                DatagramClient first = new DatagramClient(balancer.port());
                DatagramClient second = new DatagramClient(balancer.port())) {
            assertThat(first.request("one")).isEqualTo("one");
            second.send("two");
            balancer.await("refused", () -> balancer.count(ListenerCounter.CONNECTIONS_REFUSED_PER_CLIENT) == 1);
            close(balancer);

            assertThat(line()).contains(" 3/3 ");
        }
    }

    @Test
    void diskErrorIsCountedAndSessionsContinue() throws Exception {
        Path full = Path.of("/dev/full");
        Assumptions.assumeTrue(Files.exists(full), "this system has no device that is always full");
        try (TestBackend backend = TestBackend.accepting(connection -> connection.echo());
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .protocol(ListenerProtocol.TCP)
                        .accessLog(new AccessLogConfig(full.toString(), Format.JSON, AccessLogConfig.MIN_QUEUE_BYTES))
                        .backend(backend)
                        .start()) {
            for (int i = 0; i < 3; i++) {
                try (RawClient client = balancer.client()) {
                    assertThat(client.send("abc").readExactly(3)).isEqualTo("abc");
                }
            }
            balancer.await("three lines lost", () -> balancer.listener().accessLogDropped() == 3);
        }
    }

    private BalancerSetup tcp(TransportKind transport, Format format) {
        return logging(BalancerSetup.on(transport).protocol(ListenerProtocol.TCP), format);
    }

    private BalancerSetup logging(BalancerSetup setup, Format format) {
        return setup.accessLog(new AccessLogConfig(log().toString(), format, AccessLogConfig.MIN_QUEUE_BYTES));
    }

    private Path log() {
        return directory.resolve("sessions.log");
    }

    /** Closes the balancer, which writes queued lines. */
    private static void close(TestBalancer balancer) {
        balancer.awaitQuiet();
        balancer.frontend().close();
    }

    private String line() throws IOException {
        List<String> lines = Files.readAllLines(log(), StandardCharsets.UTF_8);
        assertThat(lines).hasSize(1);
        return lines.get(0);
    }
}
