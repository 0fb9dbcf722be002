package io.ballast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dashboard.testing.DashboardFixture;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that clients that send partial requests cannot lock other clients out. */
class HalfOpenConnectionsTest {

    private static final int HALF_SENT = 300;

    private final List<Socket> sockets = new ArrayList<>();
    private DashboardFixture fixture;

    @BeforeEach
    void start() throws IOException {
        fixture = new DashboardFixture(2);
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        fixture.close();
    }

    @Test
    void otherClientsAreServedDespiteThreeHundredPartialRequests() throws Exception {
        for (int i = 0; i < HALF_SENT; i++) {
            sockets.add(fixture.open("GET /readyz HTTP/1.1\r\nHost: local"));
        }

        assertThat(fixture.get("/readyz").statusCode()).isEqualTo(200);
        assertThat(fixture.get("/metrics").statusCode()).isEqualTo(200);
    }

    @Test
    void theOldestPartialRequestIsClosedForANewConnection() throws Exception {
        for (int i = 0; i < HALF_SENT; i++) {
            sockets.add(fixture.open("GET /readyz HTTP/1.1\r\nHost: local"));
        }
        Socket newest = sockets.get(HALF_SENT - 1);

        newest.getOutputStream().write("host\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));

        assertThat(newest.getInputStream().read()).isEqualTo('H');
        assertThat(end(sockets.get(0))).isTrue();
    }

    /** Returns whether the server closed the connection before the request deadline. */
    private static boolean end(Socket socket) {
        try {
            return socket.getInputStream().read() < 0;
        } catch (IOException e) {
            return true; // the server has sent a reset, because it has not read everything
        }
    }
}
