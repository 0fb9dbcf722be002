package io.ballast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.config.HostPort;
import io.ballast.core.config.TlsFiles;
import io.ballast.core.control.PreparedChange;
import io.ballast.dashboard.config.DashboardConfig;
import io.ballast.dashboard.config.ProbesConfig;
import io.ballast.dashboard.testing.DashboardFixture;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.testing.TestCertificate;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests TLS on the dashboard's listeners. */
class DashboardTlsTest {

    private static final HostPort BIND = new HostPort("127.0.0.1", 0);
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final TestCertificate first = TestCertificate.create();

    @TempDir
    private Path directory;

    @Test
    void pageAndProbesUseTheirOwnCertificates() throws Exception {
        TestCertificate other = TestCertificate.create();
        ListenerTls probes = ListenerTls.of(other.write(directory, "probes"));
        DashboardConfig config = config(Optional.of(ListenerTls.of(first.write(directory))))
                .withProbes(Optional.of(new ProbesConfig(BIND, Optional.of(probes))));
        try (DashboardFixture fixture = new DashboardFixture(1, config)) {
            int port = fixture.dashboard().probesAddress().orElseThrow().getPort();

            HttpResponse<String> page = get(first, page(fixture), "/stats");
            HttpResponse<String> probe = get(other, port, "/healthz");

            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.body()).contains("\"pools\"");
            assertThat(probe.statusCode()).isEqualTo(200);
            assertThatThrownBy(() -> get(first, port, "/healthz")).isInstanceOf(SSLException.class);
        }
    }

    @Test
    void renewedCertificateFilesAreUsedWithoutAReload() throws Exception {
        TestCertificate renewed = TestCertificate.create();
        DashboardConfig config = config(Optional.of(ListenerTls.of(first.write(directory))));
        try (DashboardFixture fixture = new DashboardFixture(1, config)) {
            assertThat(get(first, page(fixture), "/healthz").statusCode()).isEqualTo(200);

            renewed.write(directory);

            long end = System.nanoTime() + TIMEOUT.toNanos();
            while (!answers(renewed, page(fixture))) {
                assertThat(System.nanoTime() - end).as("time over").isNegative();
            }
        }
    }

    @Test
    void aReloadEnablesAndDisablesTlsAtTheSameAddress() throws Exception {
        Optional<ListenerTls> tls = Optional.of(ListenerTls.of(first.write(directory)));
        try (DashboardFixture fixture = new DashboardFixture(1, config(Optional.empty()))) {
            int port = page(fixture);
            assertThat(fixture.get("/healthz").statusCode()).isEqualTo(200);

            change(fixture, config(tls));
            assertThat(get(first, port, "/healthz").statusCode()).isEqualTo(200);
            assertThat(fixture.get("/healthz").statusCode()).as("plain HTTP").isEqualTo(400);

            change(fixture, config(Optional.empty()));
            assertThat(fixture.get("/healthz").statusCode()).isEqualTo(200);
            assertThat(page(fixture)).isEqualTo(port);
        }
    }

    @Test
    void invalidCertificateFilesChangeNothing() throws Exception {
        try (DashboardFixture fixture = new DashboardFixture(1, config(Optional.empty()))) {
            Path missing = directory.resolve("missing.pem");
            ListenerTls tls = ListenerTls.of(new TlsFiles(missing, missing));

            assertThatThrownBy(() -> fixture.dashboard().prepare(config(Optional.of(tls))))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("dashboard.tls: ")
                    .hasMessageContaining("missing.pem");
            assertThat(fixture.get("/healthz").statusCode()).isEqualTo(200);
        }
    }

    private static DashboardConfig config(Optional<ListenerTls> tls) {
        return new DashboardConfig(true, BIND).withTls(tls);
    }

    private static void change(DashboardFixture fixture, DashboardConfig next) throws IOException {
        PreparedChange change = fixture.dashboard().prepare(next);
        change.commit();
        change.releasePrevious();
    }

    private static int page(DashboardFixture fixture) {
        return fixture.dashboard().address().orElseThrow().getPort();
    }

    private static boolean answers(TestCertificate trusted, int port) throws Exception {
        try {
            return get(trusted, port, "/healthz").statusCode() == 200;
        } catch (SSLException e) {
            return false;
        }
    }

    private static HttpResponse<String> get(TestCertificate trusted, int port, String path) throws Exception {
        HttpClient client = HttpClient.newBuilder().sslContext(trusted.client()).build();
        return client.send(
                HttpRequest.newBuilder(URI.create("https://localhost:" + port + path))
                        .timeout(Duration.ofSeconds(10))
                        .build(),
                BodyHandlers.ofString());
    }
}
