package io.ballast.dashboard.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.HostPort;
import io.ballast.dashboard.server.EndpointConfig.Audience;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdminServerTest {

    @ParameterizedTest
    @ValueSource(strings = {"", "GET / HT", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhalf"})
    void aRequestThatIsNotCompleteInTimeEndsItsConnection(String half) throws Exception {
        try (AdminServer server = new AdminServer(Duration.ofMillis(50))) {
            int port = listen(server);
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
                client.setSoTimeout(DEADLINE_MILLIS);
                client.getOutputStream().write(half.getBytes(StandardCharsets.US_ASCII));

                assertThat(client.getInputStream().read()).isEqualTo(-1);
            }
        }
    }

    @Test
    void aConnectionBetweenTwoRequestsMayWaitForLonger() throws Exception {
        try (AdminServer server = new AdminServer(Duration.ofMillis(50))) {
            int port = listen(server);
            try (Socket kept = new Socket(InetAddress.getLoopbackAddress(), port);
                    Socket late = new Socket(InetAddress.getLoopbackAddress(), port)) {
                kept.setSoTimeout(DEADLINE_MILLIS);
                kept.getOutputStream().write(REQUEST);
                assertThat(kept.getInputStream().read()).isEqualTo('H');

                late.setSoTimeout(DEADLINE_MILLIS);
                assertThat(late.getInputStream().read())
                        .as("the deadline has passed")
                        .isEqualTo(-1);
                kept.getInputStream().skipNBytes(kept.getInputStream().available());
                kept.getOutputStream().write(REQUEST);

                assertThat(kept.getInputStream().read()).isEqualTo('H');
            }
        }
    }

    private static final int DEADLINE_MILLIS = 10_000;
    private static final byte[] REQUEST =
            "GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    @Test
    void closesIdleConnectionsAndFreesItsPortBeforeCloseReturns() throws Exception {
        AdminServer server = new AdminServer();
        int port = listen(server);
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
            client.setSoTimeout(DEADLINE_MILLIS);
            client.getOutputStream().write(REQUEST);
            InputStream in = client.getInputStream();
            assertThat(in.read())
                    .as("first byte of an answer that keeps the connection")
                    .isEqualTo('H');

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
        Endpoint endpoint = server.endpoint(new Router(), Gate.OPEN, () -> {});
        endpoint.start(new EndpointConfig(
                "test", new HostPort("127.0.0.1", 0), Optional.empty(), Audience.THIS_MACHINE, List.of()));
        return endpoint.address().orElseThrow().getPort();
    }
}
