package io.ballast.dns.forward.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendTls;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import io.ballast.net.testing.TestCertificate;
import io.ballast.net.tls.ClientTls;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DotUpstreamsTest {

    private static final String NAME = "www.example.com";

    private final TestCertificate certificate = TestCertificate.create();
    private FakeServer server;

    @TempDir
    private Path directory;

    @BeforeEach
    void open() throws IOException {
        ServerSocket secured = certificate.server().getServerSocketFactory().createServerSocket();
        server = new FakeServer(/* backlog= */ 10, secured);
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    @EachTransport
    void queriesShareConnection(TransportKind kind) throws Exception {
        ClientTls tls = trusting(certificate);
        try (UpstreamFixture fixture = new UpstreamFixture(kind, settings((backend, protocol) -> tls))) {
            Backend backend = fixture.backend(server.address());
            RecordedAttempt first = fixture.query(backend, NAME, UpstreamProtocol.DOT);
            try (FakeServer.Connection connection = server.accept()) {
                connection.answer();
                first.answer();
                RecordedAttempt second = fixture.query(backend, NAME, UpstreamProtocol.DOT);
                connection.answer();
                second.answer();
            }
            assertThat(fixture.sum(UpstreamCounter.QUERIES_DOT)).isEqualTo(2);
            assertThat(fixture.sum(UpstreamCounter.CONNECTIONS_OPENED)).isOne();
            assertThat(fixture.sum(UpstreamCounter.QUERIES_TCP)).isZero();
        } finally {
            tls.close();
        }
    }

    @EachTransport
    void silentConnectionIsClosed(TransportKind kind) throws Exception {
        ClientTls tls = trusting(certificate);
        try (UpstreamFixture fixture = new UpstreamFixture(kind, settings((backend, protocol) -> tls))) {
            Backend backend = fixture.backend(server.address());
            RecordedAttempt first = fixture.query(backend, NAME, UpstreamProtocol.DOT);
            try (FakeServer.Connection silent = server.accept()) {
                silent.answer();
                first.answer();
                RecordedAttempt second = fixture.query(backend, NAME, UpstreamProtocol.DOT);
                silent.receive();

                fixture.pass(UpstreamSettings.DEFAULT.silenceTimeout());

                try (FakeServer.Connection fresh = server.accept()) {
                    fresh.answer();
                    second.answer();
                }
            }
            assertThat(fixture.sum(UpstreamCounter.SILENT)).isOne();
        } finally {
            tls.close();
        }
    }

    @Test
    void untrustedResolverGetsNoQuery() throws Exception {
        ClientTls tls = trusting(TestCertificate.create());
        try (UpstreamFixture fixture = new UpstreamFixture(settings((backend, protocol) -> tls))) {
            RecordedAttempt attempt = fixture.query(fixture.backend(server.address()), NAME, UpstreamProtocol.DOT);
            CompletableFuture<Boolean> received = CompletableFuture.supplyAsync(() -> {
                try (FakeServer.Connection connection = server.accept()) {
                    connection.receive();
                    return true;
                } catch (IOException e) {
                    return false;
                }
            });

            assertThat(attempt.failure()).isEqualTo(AttemptFailure.TLS);
            assertThat(received.join()).isFalse();
            assertThat(fixture.sum(UpstreamCounter.QUERIES_DOT)).isZero();
            assertThat(fixture.sum(UpstreamCounter.ERRORS)).isZero();
        } finally {
            tls.close();
        }
    }

    @Test
    void sendsNothingWithoutTls() {
        try (UpstreamFixture fixture = new UpstreamFixture(UpstreamSettings.DEFAULT)) {
            RecordedAttempt attempt = fixture.query(fixture.backend(server.address()), NAME, UpstreamProtocol.DOT);

            assertThat(attempt.failure()).isEqualTo(AttemptFailure.TLS);
            assertThat(fixture.sum(UpstreamCounter.CONNECTIONS_OPENED)).isZero();
        }
    }

    @Test
    void changedTlsUsesNewConnection() throws Exception {
        ClientTls tls = trusting(certificate);
        ClientTls other = trusting(certificate);
        try (UpstreamFixture fixture = new UpstreamFixture(settings((backend, protocol) -> tls))) {
            Backend backend = fixture.backend(server.address());
            RecordedAttempt first = fixture.query(backend, NAME, UpstreamProtocol.DOT);
            try (FakeServer.Connection connection = server.accept()) {
                connection.answer();
                first.answer();
                UpstreamSettings next = settings((backendOfPool, protocol) -> other);

                fixture.run(() -> fixture.upstreams().settings(next));

                assertThat(connection.hasEnded()).isTrue();
            }
            RecordedAttempt second = fixture.query(backend, NAME, UpstreamProtocol.DOT);
            try (FakeServer.Connection connection = server.accept()) {
                connection.answer();
                second.answer();
            }
        } finally {
            tls.close();
            other.close();
        }
    }

    private static UpstreamSettings settings(UpstreamTls tls) {
        return UpstreamSettings.DEFAULT.with(tls);
    }

    private ClientTls trusting(TestCertificate ca) throws IOException {
        Path file = Files.writeString(directory.resolve("ca.crt"), ca.certificatePem());
        return ClientTls.open(
                new BackendTls(Optional.of(file), Optional.empty(), Optional.empty(), /* insecure= */ false),
                List.of("dot"));
    }
}
