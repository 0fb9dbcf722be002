package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.config.AccessLogConfig;
import io.ballast.http.config.AccessLogConfig.Format;
import io.ballast.http.config.SyslogConfig;
import io.ballast.http.config.SyslogConfig.Facility;
import io.ballast.http.config.SyslogServer;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import java.io.InputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the access log that a syslog server receives. */
@Timeout(60)
class SyslogTest {

    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: a\r\nUser-Agent: a\"b\\c\r\n\r\n";
    private static final String HEADER = "<134>1 [0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\\.[0-9]{3}Z edge ballast [0-9]+"
            + " access \\[meta sequenceId=\"%d\"] ";

    private static AccessLogConfig log(String address, int maxBytes) {
        SyslogConfig syslog = new SyslogConfig(
                SyslogServer.parse(address), Facility.LOCAL0, "ballast", Optional.of("edge"), maxBytes);
        return new AccessLogConfig(
                AccessLogConfig.STDOUT, Format.JSON, AccessLogConfig.MIN_QUEUE_BYTES, Optional.of(syslog));
    }

    private static BalancerSetup logging(TestBackend backend, AccessLogConfig log) {
        return BalancerSetup.on(TransportKind.NIO).backend(backend).accessLog(log);
    }

    private static void request(TestBalancer balancer, String request) {
        try (RawClient client = balancer.client()) {
            client.send(request).read();
        }
    }

    private static String receive(DatagramSocket server) throws Exception {
        DatagramPacket packet = new DatagramPacket(new byte[65_535], 65_535);
        server.receive(packet);
        return new String(packet.getData(), 0, packet.getLength(), StandardCharsets.UTF_8);
    }

    @Test
    void eachRequestIsADatagram() throws Exception {
        try (DatagramSocket server = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = logging(backend, log("udp://127.0.0.1:" + server.getLocalPort(), 8192))
                        .start()) {
            request(balancer, REQUEST);
            assertThat(receive(server))
                    .matches(HEADER.formatted(1) + "\\{\"time\":.*}")
                    .contains("\"status\":200", "\"user_agent\":\"a\\\"b\\\\\\\\c\"")
                    .doesNotContain("\n");
            request(balancer, REQUEST);
            assertThat(receive(server)).matches(HEADER.formatted(2) + "\\{.*}");
        }
    }

    @Test
    void longMessagesAreTruncated() throws Exception {
        try (DatagramSocket server = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = logging(backend, log("udp://127.0.0.1:" + server.getLocalPort(), 480))
                        .start()) {
            request(balancer, "GET /" + "x".repeat(2000) + " HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(receive(server)).matches(HEADER.formatted(1) + "\\{.*x").hasSize(480);
            request(balancer, REQUEST);
            assertThat(receive(server)).matches(HEADER.formatted(2) + "\\{.*").hasSize(480);
        }
    }

    @Test
    void messagesOverTcpHaveTheirLength() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = logging(backend, log("tcp://127.0.0.1:" + server.getLocalPort(), 8192))
                        .start()) {
            request(balancer, REQUEST);
            request(balancer, REQUEST);
            try (Socket accepted = server.accept()) {
                for (int i = 1; i <= 2; i++) {
                    assertThat(nextFrame(accepted.getInputStream())).matches(HEADER.formatted(i) + "\\{.*}");
                }
            }
        }
    }

    private static String nextFrame(InputStream in) throws Exception {
        StringBuilder length = new StringBuilder();
        int c = in.read();
        while (c != ' ') {
            length.append((char) c);
            c = in.read();
        }
        return new String(in.readNBytes(Integer.parseInt(length.toString())), StandardCharsets.UTF_8);
    }

    @Test
    void unreachableServerChangesNothingForRequestsAndLossesAreCounted() throws Exception {
        int port;
        try (DatagramSocket closed = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer =
                        logging(backend, log("udp://127.0.0.1:" + port, 8192)).start()) {
            balancer.await("an entry is lost", () -> {
                request(balancer, REQUEST);
                return balancer.listener().accessLogDropped() > 0;
            });
        }
    }

    @Test
    void reloadMovesTheLogToAnotherServer() throws Exception {
        try (DatagramSocket first = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                DatagramSocket second = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                TestBackend backend = TestBackend.playing(Script.ok("hello"))) {
            BalancerSetup setup = logging(backend, log("udp://127.0.0.1:" + first.getLocalPort(), 8192));
            try (TestBalancer balancer = setup.start()) {
                request(balancer, REQUEST);
                receive(first);
                balancer.reload(setup.accessLog(log("udp://127.0.0.1:" + second.getLocalPort(), 8192)));
                request(balancer, REQUEST);

                assertThat(receive(second)).matches(HEADER.formatted(1) + "\\{.*}");
            }
        }
    }
}
