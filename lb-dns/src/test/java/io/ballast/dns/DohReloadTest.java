package io.ballast.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.config.HostPort;
import io.ballast.core.config.TlsFiles;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.DnsListenerConfig;
import io.ballast.dns.config.DnsListenerConfig.Protocol;
import io.ballast.dns.config.DnsTcpConfig;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.Reload;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.TestCertificate;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xbill.DNS.Type;

/** Tests reloads that keep or remove a listener for DNS over HTTPS. */
class DohReloadTest {

    private static final String MEDIA_TYPE = "application/dns-message";

    private final ZoneFixture fixture = new ZoneFixture()
            .pool("web", ZoneFixture.backend("192.0.2.1"))
            .zone("example.com", ZoneFixture.service("app", "web"));
    private final TestCertificate certificate = TestCertificate.create();

    @TempDir
    private Path directory;

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource
    void connectionsEndWithTheirListener(Version version) throws Exception {
        HostPort plain = Reload.free();
        HostPort https = Reload.free();
        TlsFiles files = certificate.write(directory);
        DnsListenerConfig doh = Reload.encrypted(https, Protocol.DOH, files);
        DnsConfig both = fixture.dns(DnsTcpConfig.DEFAULT, doh);
        HttpClient client = HttpClient.newBuilder()
                .sslContext(certificate.client())
                .version(version)
                .build();
        try (DnsFrontend frontend = DnsFrontend.start(both, fixture.topology(), 1, TransportKind.AUTO)) {
            assertThat(query(client, https)).containsExactly("192.0.2.1");

            Reload.apply(frontend, fixture.dns(DnsTcpConfig.DEFAULT, DnsListenerConfig.plain(plain), doh), fixture);
            assertThat(query(client, https)).containsExactly("192.0.2.1");
            assertThat(frontend.stats().sum(DnsCounter.CONNECTIONS)).isEqualTo(1);

            Reload.apply(frontend, fixture.dns(plain), fixture);
            while (frontend.stats().sum(DnsCounter.CONNECTIONS_CLOSED) == 0) {
                Thread.onSpinWait();
            }
            assertThatThrownBy(() -> query(client, https)).isInstanceOf(IOException.class);
            assertThat(frontend.stats().sum(DnsCounter.ERRORS)).isZero();
        }
    }

    private static List<String> query(HttpClient client, HostPort server) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://localhost:" + server.port() + "/dns-query"))
                .header("content-type", MEDIA_TYPE)
                .POST(BodyPublishers.ofByteArray(
                        Messages.query("app.example.com", Type.A).toWire()))
                .build();
        return Messages.answers(
                Messages.parse(client.send(request, BodyHandlers.ofByteArray()).body()));
    }
}
