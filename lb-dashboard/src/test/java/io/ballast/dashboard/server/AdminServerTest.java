package io.ballast.dashboard.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.HostPort;
import io.ballast.dashboard.server.EndpointConfig.Audience;
import io.ballast.net.testing.FreePort;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdminServerTest {
    private static final int DEADLINE_MILLIS = 20_000;
    private static final byte[] REQUEST =
            "GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LAST_REQUEST =
            "GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    @ParameterizedTest
    @ValueSource(strings = {"", "GET / HT", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhalf"})
    void anIncompleteRequestIsClosedAtTheDeadline(String half) throws Exception {
        try (AdminServer server = new AdminServer(Duration.ofMillis(50))) {
            int port = listen(server);
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
                client.setSoTimeout(DEADLINE_MILLIS);
                client.getOutputStream().write(half.getBytes(StandardCharsets.US_ASCII));

                assertEnds(client);
            }
        }
    }

    @Test
    void anIdleConnectionMayExceedTheRequestDeadline() throws Exception {
        Duration deadline = Duration.ofMillis(50);
        while (!survivesTheDeadlineAfterAResponse(deadline)) {
            deadline = deadline.multipliedBy(2); // on a slow machine, the first request took too long
            assertThat(deadline).isLessThan(Duration.ofMillis(DEADLINE_MILLIS));
        }
    }

    /** Returns whether the first request was answered; if so, the connection must survive the deadline. */
    private static boolean survivesTheDeadlineAfterAResponse(Duration deadline) throws IOException {
        try (AdminServer server = new AdminServer(deadline)) {
            int port = listen(server);
            try (Socket kept = new Socket(InetAddress.getLoopbackAddress(), port);
                    Socket late = new Socket(InetAddress.getLoopbackAddress(), port)) {
                kept.setSoTimeout(DEADLINE_MILLIS);
                late.setSoTimeout(DEADLINE_MILLIS);
                if (!isAnswered(kept)) {
                    return false;
                }
                assertEnds(late);

                kept.getOutputStream().write(LAST_REQUEST);

                assertThat(new String(kept.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                        .contains("HTTP/1.1 404 ");
            }
        }
        return true;
    }

    private static boolean isAnswered(Socket client) throws IOException {
        try {
            client.getOutputStream().write(REQUEST);
            return client.getInputStream().read() == 'H';
        } catch (SocketException e) {
            return false;
        }
    }

    /**
     * Checks that the connection ends, possibly with a reset if the server closes it before reading everything.
     */
    private static void assertEnds(Socket client) throws IOException {
        try {
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        } catch (SocketException e) {
            assertThat(e).hasMessageContaining("reset");
        }
    }

    @Test
    void closesIdleConnectionsAndFreesItsPortBeforeCloseReturns() throws Exception {
        AdminServer server = new AdminServer();
        int port = listen(server);
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
            client.setSoTimeout(DEADLINE_MILLIS);
            client.getOutputStream().write(REQUEST);
            InputStream in = client.getInputStream();
            assertThat(in.read()).as("first byte of the response").isEqualTo('H');

            server.close();

            in.readAllBytes();
            assertThat(in.read()).as("end of the connection").isEqualTo(-1);
        }
        try (ServerSocket again = new ServerSocket()) {
            again.setReuseAddress(true);
            again.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            assertThat(again.isBound()).isTrue();
        }
    }

    private static int listen(AdminServer server) throws IOException {
        Endpoint endpoint = server.addEndpoint(new Router(), Authenticator.OPEN, () -> {});
        endpoint.start(new EndpointConfig(
                "test",
                new HostPort("127.0.0.1", FreePort.find()),
                Optional.empty(),
                Audience.THIS_MACHINE,
                List.of()));
        return endpoint.address().orElseThrow().getPort();
    }
}
