package io.ballast.dns.net.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.config.DnsTcpConfig;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.DeferredQueries;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.StreamClient;
import io.ballast.dns.testing.StreamServerFixture;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.testing.TestCertificate;
import io.ballast.net.tls.ServerTls;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.Message;
import org.xbill.DNS.Type;

/** Tests delayed answers over TCP and TLS. */
class DeferredStreamTest {

    private static final int QUERIES = 250;

    private final DeferredQueries held = new DeferredQueries();
    private final ZoneFixture fixture = new ZoneFixture()
            .pool("web", ZoneFixture.backend("192.0.2.1"))
            .zone("example.com", ZoneFixture.service("app", "web"));

    @Test
    void halfClosedClientGetsAllAnswers() throws Exception {
        try (StreamServerFixture server = serve(StreamProtocol.TCP);
                StreamClient client = new StreamClient(server.address())) {
            queryAll(client);
            client.endOutput();

            answerAll();

            assertAnswered(client);
            client.awaitEnd();
            assertThat(server.sum(DnsCounter.ERRORS)).isZero();
        }
    }

    @Test
    void tlsClientGetsAllAnswers(@TempDir Path directory) throws Exception {
        TestCertificate certificate = TestCertificate.create();
        try (ServerTls tls = ServerTls.open(ListenerTls.of(certificate.write(directory)), List.of("dot"));
                StreamServerFixture server = serve(StreamProtocol.dot(tls));
                StreamClient client = new StreamClient(certificate
                        .client()
                        .getSocketFactory()
                        .createSocket(
                                server.address().getAddress(), server.address().getPort()))) {
            queryAll(client);

            answerAll();

            assertAnswered(client);
            assertThat(server.sum(DnsCounter.QUERIES_DOT)).isEqualTo(QUERIES);
            assertThat(server.sum(DnsCounter.ERRORS)).isZero();
        }
    }

    @Test
    void disconnectedClientDoesNotAffectOthers() throws Exception {
        try (StreamServerFixture server = serve(StreamProtocol.TCP);
                StreamClient other = new StreamClient(server.address())) {
            Socket socket =
                    new Socket(server.address().getAddress(), server.address().getPort());
            socket.setSoLinger(/* on= */ true, 0); // close() sends a reset; after a FIN, the server would answer
            try (StreamClient client = new StreamClient(socket)) {
                client.send(query(1));
                held.await(1);
            }
            server.awaitSum(DnsCounter.CONNECTIONS_CLOSED, 1);

            held.answer(0);

            assertThat(Messages.answers(other.query("app.example.com", Type.A))).hasSize(1);
            assertThat(server.sum(DnsCounter.ERRORS)).isZero();
        }
    }

    private StreamServerFixture serve(StreamProtocol protocol) throws IOException {
        return new StreamServerFixture(fixture, DnsTcpConfig.DEFAULT, protocol, Optional.empty(), held);
    }

    private static void queryAll(StreamClient client) throws IOException {
        for (int id = 0; id < QUERIES; id++) {
            client.send(query(id));
        }
    }

    private void answerAll() throws InterruptedException {
        for (int i = 0; i < QUERIES; i++) {
            held.await(i + 1);
            held.answer(i);
        }
    }

    private static void assertAnswered(StreamClient client) throws IOException {
        for (int id = 0; id < QUERIES; id++) {
            Message response = client.receive();
            assertThat(response.getHeader().getID()).isEqualTo(id);
            assertThat(Messages.answers(response)).containsExactly("203.0.113.1");
        }
    }

    private static byte[] query(int id) {
        Message query = Messages.query("app.example.org", Type.A);
        query.getHeader().setID(id);
        return StreamClient.framed(query.toWire());
    }
}
