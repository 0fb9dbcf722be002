package io.ballast.dns.forward.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests how the sockets of resolvers are opened, shared, replaced and closed. */
class UdpSocketsTest {

    private static final String NAME = "www.example.com";

    private FakeServer server;

    @BeforeEach
    void open() throws IOException {
        server = new FakeServer();
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    @Test
    void replacesSocketAfterManyQueries() throws IOException {
        try (UpstreamFixture fixture = new UpstreamFixture(UpstreamFixture.oneSocket(100, 10))) {
            Backend backend = fixture.backend(server.address());
            Set<Integer> ports = new HashSet<>();
            for (int i = 0; i < 100; i++) {
                RecordedAttempt attempt = fixture.query(backend, NAME);
                FakeServer.Query query = server.receive();
                ports.add(query.port());
                server.answer(query);
                attempt.answer();
            }

            assertThat(fixture.sum(UpstreamCounter.SOCKETS_OPENED)).isEqualTo(10);
            assertThat(ports).hasSizeGreaterThan(5);
            assertThat(fixture.sockets()).isOne();
        }
    }

    @Test
    void replacedSocketStillReceivesAnswers() throws IOException {
        UpstreamSettings longTimeouts = new UpstreamSettings(
                Duration.ofMinutes(1),
                10,
                /* mixedCase= */ true,
                UpstreamFixture.oneSocket(10, 10).udp(),
                UpstreamSettings.Streams.DEFAULT,
                UpstreamSettings.DEFAULT.tls());
        try (UpstreamFixture fixture = new UpstreamFixture(longTimeouts)) {
            Backend backend = fixture.backend(server.address());
            RecordedAttempt first = fixture.query(backend, "first.example");
            FakeServer.Query early = server.receive();

            fixture.pass(Duration.ofSeconds(10));
            RecordedAttempt second = fixture.query(backend, "second.example");
            FakeServer.Query late = server.receive();

            assertThat(early.port()).isNotEqualTo(late.port());
            assertThat(fixture.sockets()).isEqualTo(2);
            server.answer(early);
            assertThat(first.answer()).isEqualTo(FakeServer.response(early.bytes()));
            assertThat(fixture.sockets()).isOne();
            server.answer(late);
            assertThat(second.answer()).isEqualTo(FakeServer.response(late.bytes()));
        }
    }

    @Test
    void closesUnusedSockets() throws IOException {
        try (UpstreamFixture fixture = new UpstreamFixture(UpstreamSettings.DEFAULT)) {
            Backend backend = fixture.backend(server.address());
            for (int i = 0; i < 10; i++) {
                RecordedAttempt attempt = fixture.query(backend, NAME);
                server.answer(server.receive());
                attempt.answer();
            }
            assertThat(fixture.sockets()).isPositive();

            fixture.pass(Duration.ofSeconds(11));

            assertThat(fixture.sockets()).isZero();
        }
    }

    @Test
    void fullSocketsUseOtherSockets() throws IOException {
        UpstreamSettings two = UpstreamFixture.settings(new UpstreamSettings.Udp(2, 3, 1000, Duration.ofSeconds(10)));
        try (UpstreamFixture fixture = new UpstreamFixture(two)) {
            Backend backend = fixture.backend(server.address());
            Set<Integer> ports = new HashSet<>();
            for (int i = 0; i < 6; i++) {
                fixture.query(backend, NAME);
                ports.add(server.receive().port());
            }

            assertThat(fixture.query(backend, NAME).failure()).isEqualTo(AttemptFailure.TOO_MANY);
            assertThat(ports).hasSize(2);
            assertThat(fixture.outstanding()).isEqualTo(6);
        }
    }

    @Test
    void keepsConfiguredNumberOfSockets() throws IOException {
        try (UpstreamFixture fixture = new UpstreamFixture(UpstreamSettings.DEFAULT)) {
            Backend backend = fixture.backend(server.address());
            for (int i = 0; i < 100; i++) {
                RecordedAttempt attempt = fixture.query(backend, NAME);
                server.answer(server.receive());
                attempt.answer();
            }
            assertThat(fixture.sockets()).isGreaterThan(1);

            fixture.run(() -> fixture.upstreams().settings(UpstreamFixture.oneSocket(10, 1000)));
            fixture.query(backend, NAME);
            server.receive();

            assertThat(fixture.sockets()).isOne();
        }
    }

    @Test
    void followsChangedResolverAddress() throws IOException {
        try (UpstreamFixture fixture = new UpstreamFixture(UpstreamSettings.DEFAULT);
                FakeServer other = new FakeServer()) {
            Backend backend = fixture.backend(server.address());
            RecordedAttempt before = fixture.query(backend, NAME);
            FakeServer.Query query = server.receive();

            backend.socketAddress(other.address());
            RecordedAttempt after = fixture.query(backend, NAME);
            other.answer(other.receive());
            after.answer();
            server.answer(query);

            assertThat(before.answer()).isEqualTo(FakeServer.response(query.bytes()));
            assertThat(fixture.sockets()).isOne();
        }
    }

    @Test
    void closesSocketsOfMovedOrRemovedResolvers() throws IOException {
        try (UpstreamFixture fixture = new UpstreamFixture(UpstreamSettings.DEFAULT)) {
            Backend moving = fixture.backend(server.address());
            Backend leaving = fixture.backend(server.address());
            Backend staying = fixture.backend(server.address());
            for (Backend backend : List.of(moving, leaving, staying)) {
                RecordedAttempt attempt = fixture.query(backend, NAME);
                server.answer(server.receive());
                attempt.answer();
            }
            assertThat(fixture.sockets()).isEqualTo(3);

            moving.socketAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 9));
            leaving.markRemoved();
            fixture.pass(Duration.ofSeconds(1));

            assertThat(fixture.sockets()).isOne();
        }
    }

    @Test
    void forgottenResolverMayStillAnswer() throws IOException {
        try (UpstreamFixture fixture = new UpstreamFixture(UpstreamSettings.DEFAULT)) {
            Backend backend = fixture.backend(server.address());
            RecordedAttempt attempt = fixture.query(backend, NAME);
            FakeServer.Query query = server.receive();

            fixture.run(() -> fixture.upstreams().drainServer(backend));
            assertThat(fixture.sockets()).isOne();
            server.answer(query);

            assertThat(attempt.answer()).isEqualTo(FakeServer.response(query.bytes()));
            assertThat(fixture.sockets()).isZero();
        }
    }

    @Test
    void forgottenResolverLeaksNoSocket() throws IOException {
        try (UpstreamFixture fixture = new UpstreamFixture(UpstreamSettings.DEFAULT)) {
            Backend backend = fixture.backend(server.address());
            RecordedAttempt attempt = new RecordedAttempt();
            fixture.run(() -> {
                fixture.begin(backend, UpstreamFixture.question(NAME), UpstreamProtocol.UDP, attempt);
                fixture.upstreams().drainServer(backend);
            });
            server.answer(server.receive());
            attempt.answer();

            assertThat(fixture.sockets()).isZero();
        }
    }
}
