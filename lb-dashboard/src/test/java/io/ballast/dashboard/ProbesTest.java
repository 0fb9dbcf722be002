package io.ballast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.config.HostPort;
import io.ballast.core.control.PreparedChange;
import io.ballast.dashboard.config.DashboardConfig;
import io.ballast.dashboard.config.ProbesConfig;
import io.ballast.dashboard.testing.DashboardFixture;
import io.ballast.net.testing.FreePort;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the endpoint for probes, which listens on every address, while the page listens on loopback. */
class ProbesTest {

    private static final DashboardConfig PAGE = new DashboardConfig(true, new HostPort("127.0.0.1", 0));

    private DashboardFixture fixture;

    @BeforeEach
    void start() throws IOException {
        fixture = new DashboardFixture(1, with(FreePort.find()));
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    @Test
    void probesAreAnsweredForAnyHost() throws Exception {
        for (String path : List.of("/healthz", "/readyz", "/metrics")) {
            assertThat(status(get(path, "pod-7.ballast.svc:8002"))).as(path).isEqualTo("HTTP/1.1 200 OK");
            assertThat(status(get(path, "10.1.2.3"))).as(path).isEqualTo("HTTP/1.1 200 OK");
        }
    }

    @Test
    void otherPathsAreNotServed() throws Exception {
        List<String> paths = List.of(
                "/",
                "/index.html",
                "/docs/api.md",
                "/stats",
                "/api/v1/pools",
                "/api/v1/events",
                "/api/v1/stream",
                "/api/v1/reload");

        for (String path : paths) {
            assertThat(status(get(path, "localhost"))).as(path).isEqualTo("HTTP/1.1 404 Not Found");
        }
    }

    @Test
    void commandsAreNotServed() throws Exception {
        String order = "POST /api/v1/reload HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

        assertThat(status(exchange(probes(), order))).isEqualTo("HTTP/1.1 404 Not Found");
        assertThat(status(exchange(probes(), order.replace("/api/v1/reload", "/healthz"))))
                .isEqualTo("HTTP/1.1 405 Method Not Allowed");
    }

    @Test
    void onALoopbackAddressForeignHostsGetA421() throws Exception {
        fixture.dashboard()
                .prepare(PAGE.withProbes(probes(new HostPort("127.0.0.1", 0))))
                .commit();

        assertThat(status(get("/metrics", "evil.example"))).isEqualTo("HTTP/1.1 421 Misdirected Request");
        assertThat(status(get("/metrics", "localhost"))).isEqualTo("HTTP/1.1 200 OK");
        assertThat(status(get("/readyz", "evil.example"))).isEqualTo("HTTP/1.1 200 OK");
    }

    @Test
    void floodingTheProbesDoesNotBlockThePage() throws Exception {
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < 200; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), probes());
                socket.setSoTimeout(10_000);
                socket.getOutputStream().write("GET /hea".getBytes(StandardCharsets.US_ASCII));
                sockets.add(socket);
            }
            Socket first = sockets.get(0);
            first.getInputStream().readAllBytes(); // the oldest connection is closed for a new one

            assertThat(fixture.get("/healthz").statusCode()).isEqualTo(200);
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    @Test
    void reloadsAddAndRemoveTheProbesWhileThePageStays() throws Exception {
        int former = probes();
        InetSocketAddress page = fixture.dashboard().address().orElseThrow();

        fixture.dashboard().prepare(PAGE).commit();
        assertThat(fixture.dashboard().probesAddress()).isEmpty();
        assertThat(fixture.get("/healthz").statusCode())
                .isEqualTo(200); // the event loop has completed the earlier tasks
        assertThatThrownBy(() -> get(former, "/healthz", "localhost")).isInstanceOf(ConnectException.class);

        fixture.dashboard().prepare(with(former)).commit();
        assertThat(status(get("/healthz", "localhost"))).isEqualTo("HTTP/1.1 200 OK");
        assertThat(fixture.dashboard().address()).hasValue(page);
    }

    @Test
    void probesAreServedWithoutThePage() throws Exception {
        DashboardConfig alone = new DashboardConfig(false, PAGE.bind()).withProbes(probes(new HostPort("0.0.0.0", 0)));
        fixture.dashboard().prepare(alone).commit();

        assertThat(fixture.dashboard().address()).isEmpty();
        assertThat(status(get("/readyz", "localhost"))).isEqualTo("HTTP/1.1 200 OK");
    }

    @Test
    void anAddressInUseRejectsTheWholeChange() throws Exception {
        try (ServerSocket taken = new ServerSocket(0)) {
            HostPort wanted = new HostPort("0.0.0.0", taken.getLocalPort());
            DashboardConfig next = new DashboardConfig(true, new HostPort("127.0.0.2", 0)).withProbes(probes(wanted));

            assertThatThrownBy(() -> fixture.dashboard().prepare(next))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("probes: ")
                    .hasMessageContaining(wanted.toString());
        }
        assertThat(status(get("/healthz", "localhost"))).isEqualTo("HTTP/1.1 200 OK");
        assertThat(fixture.get("/healthz").statusCode()).isEqualTo(200);
    }

    @Test
    void anAbandonedChangeReleasesItsAddresses() throws Exception {
        int port = FreePort.find();
        PreparedChange change = fixture.dashboard().prepare(with(port));
        change.close();
        for (int turn = 0; turn < 2; turn++) { // the event loop releases a closed socket at its next select
            assertThat(fixture.get("/healthz").statusCode()).isEqualTo(200);
        }

        fixture.dashboard().prepare(with(port)).commit();
        assertThat(probes()).isEqualTo(port);
    }

    private static DashboardConfig with(int port) {
        return PAGE.withProbes(probes(new HostPort("0.0.0.0", port)));
    }

    private static Optional<ProbesConfig> probes(HostPort bind) {
        return Optional.of(new ProbesConfig(bind, Optional.empty()));
    }

    private int probes() {
        return fixture.dashboard().probesAddress().orElseThrow().getPort();
    }

    private String get(String path, String host) throws IOException {
        return get(probes(), path, host);
    }

    private static String get(int port, String path, String host) throws IOException {
        return exchange(port, "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
    }

    private static String exchange(int port, String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String status(String answer) {
        return answer.lines().findFirst().orElse("no answer");
    }
}
