package io.ballast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.config.HostPort;
import io.ballast.core.control.PreparedChange;
import io.ballast.core.control.ReloadReport.Outcome;
import io.ballast.dashboard.config.DashboardConfig;
import io.ballast.dashboard.config.Histograms;
import io.ballast.dashboard.config.ReadyWhen;
import io.ballast.dashboard.testing.DashboardFixture;
import io.ballast.dashboard.testing.EventStream;
import io.ballast.dashboard.testing.FakeReloader.ReloadCall;
import io.ballast.net.testing.FreePort;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests changes of the dashboard's configuration. */
class PreparedDashboardTest {

    /** Another loopback address; binding port 0 there finds a free port. */
    private static final HostPort OTHER_ADDRESS = new HostPort("127.0.0.2", 0);

    private static final String REQUEST = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

    private DashboardFixture fixture;

    @BeforeEach
    void start() throws IOException {
        fixture = new DashboardFixture(1);
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    @Test
    void theSameConfigurationChangesNothing() throws Exception {
        assertThat(fixture.dashboard().prepare(fixture.config())).isSameAs(PreparedChange.NOTHING);
    }

    @Test
    void histogramsChangeWithTheCommit() throws Exception {
        InetSocketAddress before = fixture.dashboard().address().orElseThrow();
        PreparedChange change =
                fixture.dashboard().prepare(with(fixture.config().bind(), Histograms.PER_POOL));
        assertThat(fixture.get("/metrics").body()).contains("ballast_backend_response_time_seconds");

        change.commit();

        assertThat(fixture.get("/metrics").body())
                .contains("ballast_pool_response_time_seconds")
                .doesNotContain("ballast_backend_response_time_seconds");
        assertThat(fixture.dashboard().address().orElseThrow()).isEqualTo(before);
        assertThat(fixture.dashboard().prepare(with(fixture.config().bind(), Histograms.PER_POOL)))
                .isSameAs(PreparedChange.NOTHING);
    }

    @Test
    void aCommitSwitchesToTheNewAddress() throws Exception {
        InetSocketAddress old = fixture.dashboard().address().orElseThrow();
        PreparedChange change = fixture.dashboard().prepare(with(OTHER_ADDRESS, Histograms.PER_BACKEND));
        assertThat(fixture.dashboard().address().orElseThrow()).isEqualTo(old);
        assertThat(fixture.get("/healthz").statusCode()).isEqualTo(200);

        change.commit();
        change.releasePrevious();

        InetSocketAddress next = fixture.dashboard().address().orElseThrow();
        assertThat(next.getAddress()).isEqualTo(InetAddress.getByName("127.0.0.2"));
        assertThat(answer(next)).startsWith("HTTP/1.1 200 ");
        assertThatThrownBy(() -> answer(old)).isInstanceOf(ConnectException.class);
    }

    @Test
    void streamsAndIdleConnectionsOfTheOldAddressEnd() throws Exception {
        try (EventStream stream = new EventStream(fixture);
                Socket idle = fixture.open(REQUEST)) {
            stream.next("snapshot");
            readOneAnswer(idle.getInputStream());

            move();

            assertThat(stream.awaitEnd()).isEqualTo("complete");
            assertThat(idle.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void aPendingResponseIsCompletedBeforeItsConnectionIsClosed() throws Exception {
        try (Socket client = fixture.open("POST /api/v1/reload HTTP/1.1\r\nHost: localhost\r\n\r\n")) {
            ReloadCall call = fixture.reloader().next();

            move();
            call.answer(Outcome.APPLIED);

            String answer = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer)
                    .startsWith("HTTP/1.1 200 ")
                    .containsIgnoringCase("connection: close")
                    .contains("\"outcome\":\"applied\"");
        }
    }

    @Test
    void anAbandonedChangeReleasesTheAddress() throws Exception {
        HostPort wanted = new HostPort("127.0.0.2", FreePort.find());
        PreparedChange change = fixture.dashboard().prepare(with(wanted, Histograms.PER_POOL));

        change.close();

        assertThat(fixture.get("/metrics").body()).contains("ballast_backend_response_time_seconds");
        PreparedChange again = fixture.dashboard().prepare(with(wanted, Histograms.PER_POOL));
        again.commit();
        again.close();
        assertThat(answer(new InetSocketAddress(wanted.host(), wanted.port()))).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void anAddressInUseFailsAndChangesNothing() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.2"))) {
            HostPort wanted = new HostPort("127.0.0.2", taken.getLocalPort());

            assertThatThrownBy(() -> fixture.dashboard().prepare(with(wanted, Histograms.PER_POOL)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(wanted.toString());
        }
        assertThat(fixture.get("/metrics").body()).contains("ballast_backend_response_time_seconds");
    }

    @Test
    void anotherNameOfTheSameAddressKeepsTheSocket() throws Exception {
        int port = fixture.dashboard().address().orElseThrow().getPort();
        try (Socket idle = fixture.open(REQUEST)) {
            readOneAnswer(idle.getInputStream());

            fixture.dashboard()
                    .prepare(with(new HostPort("127.0.0.1", port), Histograms.PER_BACKEND))
                    .commit();
            idle.getOutputStream().write(REQUEST.getBytes(StandardCharsets.US_ASCII));

            assertThat(idle.getInputStream().read()).isEqualTo('H');
        }
    }

    private void move() throws IOException {
        fixture.dashboard().prepare(with(OTHER_ADDRESS, Histograms.PER_BACKEND)).commit();
    }

    private static DashboardConfig with(HostPort bind, Histograms histograms) {
        return new DashboardConfig(true, bind, ReadyWhen.EVERY_LISTENER, histograms);
    }

    private static String answer(InetSocketAddress address) throws IOException {
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream()
                    .write("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    private static void readOneAnswer(InputStream in) throws IOException {
        StringBuilder answer = new StringBuilder();
        while (answer.indexOf("alive\n") < 0) {
            int read = in.read();
            assertThat(read).isNotNegative();
            answer.append((char) read);
        }
    }
}
