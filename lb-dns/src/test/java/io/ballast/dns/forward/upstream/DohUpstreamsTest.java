package io.ballast.dns.forward.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendTls;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import io.ballast.net.testing.TestCertificate;
import io.ballast.net.tls.ClientTls;
import io.netty.handler.codec.http2.Http2Error;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DohUpstreamsTest {

    private static final String NAME = "www.example.com";
    private static final String OTHER = "mail.example.com";
    private static final int MANY = 100;

    private final TestCertificate certificate = TestCertificate.create();
    private FakeHttp2Server server;
    private ClientTls tls;

    @TempDir
    private Path directory;

    @BeforeEach
    void open() throws Exception {
        server = new FakeHttp2Server(certificate, "h2", MANY);
        tls = trusting(certificate);
    }

    @AfterEach
    void close() {
        server.close();
        tls.close();
    }

    @EachTransport
    void queriesShareConnectionInAnyOrder(TransportKind kind) throws Exception {
        try (UpstreamFixture fixture = new UpstreamFixture(kind, settings())) {
            Backend backend = fixture.backend(server.address());
            RecordedAttempt first = fixture.query(backend, NAME, UpstreamProtocol.DOH);
            RecordedAttempt second = fixture.query(backend, OTHER, UpstreamProtocol.DOH);
            FakeHttp2Server.Request any = server.receive();
            FakeHttp2Server.Request last = server.receive();
            FakeHttp2Server.Request one = any.isAbout("www") ? any : last;
            FakeHttp2Server.Request two = one == any ? last : any;

            two.answer();
            second.answer();
            one.answer();

            assertThat(first.answer()[2] & 0x80).isNotZero();
            assertThat(one.connection()).isSameAs(two.connection());
            assertThat(one.query()).startsWith(0, 0);
            assertThat(one.head().method().toString()).isEqualTo("POST");
            assertThat(one.head().scheme().toString()).isEqualTo("https");
            assertThat(one.head().path().toString()).isEqualTo(UpstreamFixture.PATH);
            assertThat(one.head().authority().toString())
                    .isEqualTo("localhost:" + server.address().getPort());
            assertThat(one.head().get("content-type").toString()).isEqualTo(FakeHttp2Server.MESSAGE);
            assertThat(fixture.sum(UpstreamCounter.QUERIES_DOH)).isEqualTo(2);
            assertThat(fixture.sum(UpstreamCounter.CONNECTIONS_OPENED)).isOne();
            assertThat(fixture.outstanding()).isZero();
        }
    }

    @Test
    void silentConnectionIsClosed() throws Exception {
        try (UpstreamFixture fixture = new UpstreamFixture(settings())) {
            Backend backend = fixture.backend(server.address());
            RecordedAttempt first = fixture.query(backend, NAME, UpstreamProtocol.DOH);
            FakeHttp2Server.Request answered = server.receive();
            answered.answer();
            first.answer();
            answered.stopAnswering();
            RecordedAttempt second = fixture.query(backend, OTHER, UpstreamProtocol.DOH);

            fixture.pass(UpstreamSettings.DEFAULT.silenceTimeout());
            FakeHttp2Server.Request again = server.receive();
            again.answer();

            second.answer();
            assertThat(again.connection()).isNotSameAs(answered.connection());
            assertThat(fixture.sum(UpstreamCounter.SILENT)).isOne();
        }
    }

    @Test
    void pingDistinguishesSlowFromSilent() throws Exception {
        try (UpstreamFixture fixture = new UpstreamFixture(settings())) {
            Backend backend = fixture.backend(server.address());
            RecordedAttempt first = fixture.query(backend, NAME, UpstreamProtocol.DOH);
            server.receive().answer();
            first.answer();
            RecordedAttempt slow = fixture.query(backend, OTHER, UpstreamProtocol.DOH);
            FakeHttp2Server.Request request = server.receive();

            request.holdPings();
            fixture.pass(UpstreamSettings.DEFAULT.silenceTimeout().dividedBy(2));
            request.awaitPing();
            fixture.awaitRead(() -> {
                fixture.elapse();
                request.acknowledgePing();
            });
            fixture.pass(UpstreamSettings.DEFAULT.silenceTimeout().dividedBy(2));
            request.answer();

            slow.answer();
            assertThat(fixture.sum(UpstreamCounter.SILENT)).isZero();
            assertThat(fixture.sum(UpstreamCounter.CONNECTIONS_OPENED)).isOne();
        }
    }

    @Test
    void untrustedResolverGetsNoQuery() throws Exception {
        ClientTls other = trusting(TestCertificate.create());
        try (UpstreamFixture fixture =
                new UpstreamFixture(UpstreamSettings.DEFAULT.with((backend, protocol) -> other))) {
            assertThat(query(fixture).failure()).isEqualTo(AttemptFailure.TLS);
            assertThat(server.isQuiet()).isTrue();
            assertThat(fixture.sum(UpstreamCounter.QUERIES_DOH)).isZero();
        } finally {
            other.close();
        }
    }

    @Test
    void resolverWithoutHttp2GetsNoQuery() throws Exception {
        try (FakeHttp2Server older = new FakeHttp2Server(certificate, "http/1.1", MANY);
                UpstreamFixture fixture = new UpstreamFixture(settings())) {
            RecordedAttempt attempt = fixture.query(fixture.backend(older.address()), NAME, UpstreamProtocol.DOH);

            assertThat(attempt.failure()).isEqualTo(AttemptFailure.TLS);
            assertThat(fixture.sum(UpstreamCounter.ERRORS)).isZero();
        }
    }

    @Test
    void otherStatusOrTypeIsFailure() throws Exception {
        try (UpstreamFixture fixture = new UpstreamFixture(settings())) {
            Backend backend = fixture.backend(server.address());
            RecordedAttempt first = fixture.query(backend, NAME, UpstreamProtocol.DOH);
            FakeHttp2Server.Request refused = server.receive();
            refused.respond("500", FakeHttp2Server.MESSAGE, FakeServer.response(refused.query()));
            assertThat(first.failure()).isEqualTo(AttemptFailure.HTTP);

            RecordedAttempt second = fixture.query(backend, NAME, UpstreamProtocol.DOH);
            FakeHttp2Server.Request page = server.receive();
            page.respond("200", "text/html", FakeServer.response(page.query()));
            assertThat(second.failure()).isEqualTo(AttemptFailure.HTTP);

            RecordedAttempt third = fixture.query(backend, NAME, UpstreamProtocol.DOH);
            server.receive().answer();
            third.answer();
            assertThat(fixture.sum(UpstreamCounter.CONNECTIONS_OPENED)).isOne();
        }
    }

    @Test
    void rejectsInvalidAnswer() throws Exception {
        try (UpstreamFixture fixture = new UpstreamFixture(settings())) {
            RecordedAttempt long1 = query(fixture);
            server.receive().respond("200", FakeHttp2Server.MESSAGE, new byte[65_536]);
            assertThat(long1.failure()).isEqualTo(AttemptFailure.MALFORMED);

            RecordedAttempt empty = query(fixture);
            server.receive().respond("200", FakeHttp2Server.MESSAGE, new byte[0]);
            assertThat(empty.failure()).isEqualTo(AttemptFailure.MALFORMED);

            RecordedAttempt otherId = query(fixture);
            FakeHttp2Server.Request request = server.receive();
            byte[] response = FakeServer.response(request.query());
            response[1] = 1;
            request.respond("200", FakeHttp2Server.MESSAGE, response);
            assertThat(otherId.failure()).isEqualTo(AttemptFailure.MALFORMED);
        }
    }

    @Test
    void cancelResetsOnlyItsStream() throws Exception {
        try (UpstreamFixture fixture = new UpstreamFixture(settings())) {
            Backend backend = fixture.backend(server.address());
            Attempt cancelled =
                    fixture.query(backend, UpstreamFixture.question(NAME), UpstreamProtocol.DOH, new RecordedAttempt());
            FakeHttp2Server.Request request = server.receive();
            RecordedAttempt other = fixture.query(backend, OTHER, UpstreamProtocol.DOH);

            fixture.run(cancelled::cancel);

            assertThat(request.awaitReset()).isEqualTo(Http2Error.CANCEL.code());
            server.receive().answer();
            other.answer();
            assertThat(fixture.sum(UpstreamCounter.CONNECTIONS_OPENED)).isOne();
        }
    }

    @Test
    void resetStreamIsFailure() throws Exception {
        try (UpstreamFixture fixture = new UpstreamFixture(settings())) {
            RecordedAttempt attempt = query(fixture);

            server.receive().resets(Http2Error.INTERNAL_ERROR);

            assertThat(attempt.failure()).isEqualTo(AttemptFailure.RESET);
        }
    }

    @Test
    void lostQueriesAreResentOnNewConnection() throws Exception {
        try (UpstreamFixture fixture = new UpstreamFixture(settings())) {
            Backend backend = fixture.backend(server.address());
            RecordedAttempt first = fixture.query(backend, NAME, UpstreamProtocol.DOH);
            server.receive().answer();
            first.answer();
            RecordedAttempt second = fixture.query(backend, NAME, UpstreamProtocol.DOH);
            RecordedAttempt third = fixture.query(backend, OTHER, UpstreamProtocol.DOH);
            server.receive();

            server.receive().endConnection();

            server.receive().answer();
            server.receive().answer();
            second.answer();
            third.answer();
            assertThat(fixture.sum(UpstreamCounter.RETRIED)).isEqualTo(2);
            assertThat(fixture.sum(UpstreamCounter.CONNECTIONS_OPENED)).isEqualTo(2);
        }
    }

    @Test
    void goawayCompletesPendingQueries() throws Exception {
        try (UpstreamFixture fixture = new UpstreamFixture(settings())) {
            Backend backend = fixture.backend(server.address());
            RecordedAttempt first = fixture.query(backend, NAME, UpstreamProtocol.DOH);
            server.receive().answer();
            first.answer();
            RecordedAttempt held = fixture.query(backend, NAME, UpstreamProtocol.DOH);
            FakeHttp2Server.Request request = server.receive();

            request.goAway();

            RecordedAttempt other = fixture.query(backend, OTHER, UpstreamProtocol.DOH);
            FakeHttp2Server.Request next = server.receive();
            assertThat(next.connection()).isNotSameAs(request.connection());
            next.answer();
            other.answer();
            request.answer();
            held.answer();
            assertThat(fixture.sum(UpstreamCounter.CONNECTIONS_OPENED)).isEqualTo(2);
        }
    }

    @Test
    void refusedStreamIsRetriedOnce() throws Exception {
        try (UpstreamFixture fixture = new UpstreamFixture(settings())) {
            RecordedAttempt attempt = query(fixture);

            server.receive().resets(Http2Error.REFUSED_STREAM);
            server.receive().answer();
            attempt.answer();

            RecordedAttempt again = query(fixture);
            server.receive().resets(Http2Error.REFUSED_STREAM);
            server.receive().resets(Http2Error.REFUSED_STREAM);
            assertThat(again.failure()).isEqualTo(AttemptFailure.RESET);
            assertThat(fixture.sum(UpstreamCounter.RETRIED)).isEqualTo(2);
        }
    }

    @Test
    void respectsStreamLimitOfServer() throws Exception {
        try (FakeHttp2Server narrow = new FakeHttp2Server(certificate, "h2", /* max= */ 2);
                UpstreamFixture fixture = new UpstreamFixture(settings())) {
            Backend backend = fixture.backend(narrow.address());
            List<RecordedAttempt> all = List.of(
                    fixture.query(backend, NAME, UpstreamProtocol.DOH),
                    fixture.query(backend, OTHER, UpstreamProtocol.DOH),
                    fixture.query(backend, "third.example.com", UpstreamProtocol.DOH));

            for (int i = 0; i < all.size(); i++) {
                narrow.receive().answer();
            }

            all.forEach(RecordedAttempt::answer);
            assertThat(fixture.sum(UpstreamCounter.RETRIED)).isZero();
            assertThat(fixture.outstanding()).isZero();
        }
    }

    private RecordedAttempt query(UpstreamFixture fixture) {
        return fixture.query(fixture.backend(server.address()), NAME, UpstreamProtocol.DOH);
    }

    private UpstreamSettings settings() {
        return UpstreamSettings.DEFAULT.with((backend, protocol) -> tls);
    }

    private ClientTls trusting(TestCertificate ca) throws IOException {
        Path file = Files.writeString(directory.resolve("ca" + ca.hashCode() + ".crt"), ca.certificatePem());
        return ClientTls.open(
                new BackendTls(Optional.of(file), Optional.empty(), Optional.empty(), /* insecure= */ false),
                List.of("h2"));
    }
}
