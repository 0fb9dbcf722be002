package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.header.HeaderRules;
import io.ballast.http.config.AccessLogConfig;
import io.ballast.http.config.AccessLogConfig.Format;
import io.ballast.http.config.Forwarding;
import io.ballast.http.config.ForwardingHeader;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestHeaderRules;
import io.ballast.net.config.ClientCertificates;
import io.ballast.net.config.ClientCertificates.Mode;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.config.TlsProfile;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import io.ballast.net.testing.TestCertificate;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the TLS details of a client connection in headers and logs. */
class TlsFactsTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final TestCertificate LOCAL = TestCertificate.forHosts("app.example", "localhost");
    private static final TestCertificate CLIENT = TestCertificate.forOnly("billing");
    private static final HeaderRules ALL = new HeaderRules(
            TestHeaderRules.set("X-Tls", "[$tls_version|$tls_cipher|$tls_server_name|$tls_client_subject]"),
            TestHeaderRules.set("X-Answer", "[$tls_version]"));

    @TempDir
    private Path directory;

    @EachTransport
    void headersHaveNegotiatedParameters(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer =
                        secured(transport).headers(ALL).backend(backend).start()) {
            SSLContext known = LOCAL.client(CLIENT);
            for (int i = 0; i < 2; i++) { // the second connection may resume the session
                try (RawClient client = RawClient.connect(balancer.port(), known, "app.example")) {
                    String answer = client.send(GET).read().header("X-Answer");

                    assertThat(answer).isEqualTo("[TLSv1.3]");
                    String cipher = client.session().getCipherSuite();
                    assertThat(backend.nextRequest())
                            .contains("X-Tls: [TLSv1.3|" + cipher + "|app.example|CN=billing]\r\n");
                }
            }
            try (RawClient other = RawClient.connect(balancer.port(), LOCAL.clientOf("TLSv1.2"), "app.example")) {
                other.send("GET / HTTP/1.1\r\nHost: localhost\r\nX-Tls: CN=billing\r\n\r\n")
                        .read();

                String cipher = other.session().getCipherSuite();
                assertThat(backend.nextRequest())
                        .contains("X-Tls: [TLSv1.2|" + cipher + "|app.example|]\r\n")
                        .doesNotContain("billing");
            }
        }
    }

    @Test
    void headersAreEmptyWithoutTls() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .headers(ALL)
                        .accessLog(log(Format.COMBINED_TLS))
                        .backend(backend)
                        .start();
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().header("X-Answer")).isEqualTo("[]");

            assertThat(backend.nextRequest()).contains("X-Tls: [|||]\r\n");
            assertThat(line(balancer)).endsWith(" - - - -");
        }
    }

    @EachTransport
    void logsTlsForBothHttpVersions(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = secured(transport)
                        .headers(ALL)
                        .accessLog(log(Format.JSON))
                        .forwarding(Forwarding.OVERWRITE)
                        .forwardingHeaders(EnumSet.allOf(ForwardingHeader.class))
                        .backend(backend)
                        .start()) {
            HttpClient client = HttpClient.newBuilder()
                    .sslContext(LOCAL.client(CLIENT))
                    .version(HttpClient.Version.HTTP_2)
                    .build();
            URI target = URI.create("https://localhost:" + balancer.port() + "/a");
            HttpResponse<String> response =
                    client.send(HttpRequest.newBuilder(target).build(), BodyHandlers.ofString());

            assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(response.headers().firstValue("X-Answer")).hasValue("[TLSv1.3]");
            assertThat(backend.nextRequest())
                    .contains("|localhost|CN=billing]\r\n")
                    .contains("X-Forwarded-Proto: https\r\n", "X-Forwarded-Host: localhost:" + balancer.port())
                    .contains(";proto=https;host=\"localhost:" + balancer.port() + "\"\r\n");
            assertThat(line(balancer))
                    .contains("\"protocol\":\"HTTP/2.0\"")
                    .contains("\"tls_version\":\"TLSv1.3\",\"tls_cipher\":\"TLS_")
                    .contains("\"tls_server_name\":\"localhost\",\"tls_alpn\":\"h2\","
                            + "\"tls_client_subject\":\"CN=billing\"");
        }
    }

    private BalancerSetup secured(TransportKind transport) throws IOException {
        ClientCertificates clients =
                new ClientCertificates(CLIENT.write(directory, "clients").certificate(), Mode.OPTIONAL);
        return BalancerSetup.on(transport)
                .tls(new ListenerTls(
                        List.of(LOCAL.write(directory)),
                        TlsProfile.INTERMEDIATE,
                        Optional.of(clients),
                        /* hsts= */ Optional.empty()));
    }

    private AccessLogConfig log(Format format) {
        return new AccessLogConfig(
                directory.resolve("access.log").toString(), format, AccessLogConfig.DEFAULT_QUEUE_BYTES);
    }

    private String line(TestBalancer balancer) throws IOException {
        Path file = directory.resolve("access.log");
        balancer.await("a line", () -> {
            try {
                return Files.exists(file) && Files.size(file) > 0;
            } catch (IOException e) {
                return false;
            }
        });
        return Files.readAllLines(file).get(0);
    }
}
