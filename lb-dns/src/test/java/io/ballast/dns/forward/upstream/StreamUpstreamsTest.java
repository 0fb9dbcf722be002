package io.ballast.dns.forward.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.dns.testing.Messages;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StreamUpstreamsTest {

    private static final String NAME = "www.example.com";
    private static final Duration TIMEOUT = UpstreamSettings.DEFAULT.attemptTimeout();

    private FakeServer server;
    private UpstreamFixture fixture;
    private Backend backend;

    @BeforeEach
    void open() throws IOException {
        server = new FakeServer();
        fixture = new UpstreamFixture(UpstreamSettings.DEFAULT);
        backend = fixture.backend(server.address());
    }

    @AfterEach
    void close() throws IOException {
        fixture.close();
        server.close();
    }

    /** Replaces the fixture by one with other settings. */
    private void restart(UpstreamFixture other) {
        fixture.close();
        fixture = other;
        backend = fixture.backend(server.address());
    }

    private RecordedAttempt query() {
        return fixture.query(backend, NAME, UpstreamProtocol.TCP);
    }

    /** Returns a connection on which the server has answered a query. */
    private FakeServer.Connection used() throws IOException {
        RecordedAttempt first = query();
        FakeServer.Connection connection = server.accept();
        connection.answer();
        first.answer();
        return connection;
    }

    @EachTransport
    void truncatedResponseIsRetriedOverTcp(TransportKind kind) throws IOException {
        restart(new UpstreamFixture(kind, UpstreamSettings.DEFAULT));
        RecordedAttempt attempt = fixture.query(backend, NAME);
        FakeServer.Query query = server.receive();
        byte[] truncated = FakeServer.response(query.bytes());
        truncated[2] |= 2;
        server.send(truncated, query.from());

        try (FakeServer.Connection connection = server.accept()) {
            byte[] again = connection.receive();
            connection.send(FakeServer.response(again));

            assertThat(attempt.answer()).isEqualTo(FakeServer.response(again));
            assertThat(again).endsWith(Arrays.copyOfRange(query.bytes(), 2, query.bytes().length));
        }
        assertThat(fixture.sum(UpstreamCounter.TRUNCATED)).isOne();
        assertThat(fixture.sum(UpstreamCounter.QUERIES_UDP)).isOne();
        assertThat(fixture.sum(UpstreamCounter.QUERIES_TCP)).isOne();
        assertThat(fixture.outstanding()).isZero();
    }

    @EachTransport
    void answersMayArriveInAnyOrder(TransportKind kind) throws IOException {
        restart(new UpstreamFixture(kind, UpstreamSettings.DEFAULT));
        List<RecordedAttempt> attempt = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            attempt.add(fixture.query(backend, "n" + i + ".example.com", UpstreamProtocol.TCP));
        }
        try (FakeServer.Connection connection = server.accept()) {
            List<byte[]> queries = List.of(connection.receive(), connection.receive(), connection.receive());
            for (int i = 2; i >= 0; i--) {
                connection.send(FakeServer.response(queries.get(i)));
            }

            // The server may receive the queries in another order, because they wait for the connection.
            for (int i = 0; i < 3; i++) {
                String answer = name(attempt.get(i).answer());
                assertThat(answer).isEqualToIgnoringCase("n" + i + ".example.com.");
            }
        }
        assertThat(fixture.sum(UpstreamCounter.CONNECTIONS_OPENED)).isOne();
    }

    @Test
    void answerMayBeFragmented() throws IOException {
        RecordedAttempt attempt = query();
        try (FakeServer.Connection connection = server.accept()) {
            byte[] response = FakeServer.response(connection.receive());
            for (byte b : FakeServer.Connection.framed(response)) {
                connection.sendBytes(new byte[] {b});
            }

            assertThat(attempt.answer()).isEqualTo(response);
        }
    }

    @Test
    void acceptsLongestAnswer() throws IOException {
        RecordedAttempt attempt = query();
        try (FakeServer.Connection connection = server.accept()) {
            byte[] longest = Arrays.copyOf(FakeServer.response(connection.receive()), 65_535);
            connection.send(longest);

            assertThat(attempt.answer()).isEqualTo(longest);
        }
    }

    @Test
    void ignoresUnrelatedMessages() throws IOException {
        RecordedAttempt attempt = query();
        try (FakeServer.Connection connection = server.accept()) {
            byte[] response = FakeServer.response(connection.receive());
            byte[] other = response.clone();
            other[0] ^= 1;
            connection.send(other);
            connection.send(new byte[0]);
            connection.send(response);

            assertThat(attempt.answer()).isEqualTo(response);
            assertThat(fixture.sum(UpstreamCounter.MISMATCHED)).isEqualTo(2);
        }
    }

    @Test
    void answerToOtherQuestionFailsImmediately() throws IOException {
        RecordedAttempt attempt = query();
        try (FakeServer.Connection connection = server.accept()) {
            byte[] other = FakeServer.response(connection.receive());
            other[13] ^= 1;
            connection.send(other);

            assertThat(attempt.failure()).isEqualTo(AttemptFailure.MALFORMED);
        }
    }

    @EachTransport
    void closedConnectionFailsItsQueries(TransportKind kind) throws IOException {
        restart(new UpstreamFixture(kind, UpstreamSettings.DEFAULT));
        RecordedAttempt first = query();
        RecordedAttempt second = query();
        try (FakeServer.Connection connection = server.accept()) {
            connection.receive();
            connection.receive();
            connection.reset();
        }

        assertThat(first.failure()).isEqualTo(AttemptFailure.RESET);
        assertThat(second.failure()).isEqualTo(AttemptFailure.RESET);
        assertThat(fixture.sum(UpstreamCounter.RETRIED)).isZero();
        assertThat(fixture.outstanding()).isZero();
    }

    @EachTransport
    void queryLostOnReusedConnectionIsResent(TransportKind kind) throws IOException {
        restart(new UpstreamFixture(kind, UpstreamSettings.DEFAULT));
        RecordedAttempt again = lostQuery();

        try (FakeServer.Connection fresh = server.accept()) {
            fresh.answer();

            again.answer();
            assertThat(again.resultCount()).isOne();
            assertThat(fixture.sum(UpstreamCounter.RETRIED)).isOne();
        }
    }

    @Test
    void queryIsSentAtMostTwice() throws IOException {
        RecordedAttempt again = lostQuery();

        try (FakeServer.Connection fresh = server.accept()) {
            fresh.receive();
        }

        assertThat(again.failure()).isEqualTo(AttemptFailure.RESET);
        assertThat(fixture.sum(UpstreamCounter.QUERIES_TCP)).isEqualTo(3);
    }

    /** Sends a second query on an established connection, which the server then closes. */
    private RecordedAttempt lostQuery() throws IOException {
        try (FakeServer.Connection connection = used()) {
            RecordedAttempt second = query();
            connection.receive();
            return second;
        }
    }

    @EachTransport
    void refusedConnectionFailsImmediately(TransportKind kind) throws IOException {
        server.close();
        restart(new UpstreamFixture(kind, UpstreamSettings.DEFAULT));
        RecordedAttempt attempt = query();

        assertThat(attempt.failure()).isEqualTo(AttemptFailure.REFUSED_CONNECTION);
    }

    @Test
    void idleConnectionTimesOut() throws IOException {
        try (FakeServer.Connection connection = used()) {
            fixture.pass(Duration.ofSeconds(9));
            RecordedAttempt second = query();
            connection.answer();
            second.answer();
            fixture.pass(Duration.ofSeconds(9));
            assertThat(fixture.sockets()).isOne();

            fixture.pass(Duration.ofSeconds(1));

            assertThat(connection.hasEnded()).isTrue();
            assertThat(fixture.sockets()).isZero();
        }
    }

    @Test
    void opensSecondConnectionWhenFull() throws IOException {
        UpstreamSettings small = UpstreamFixture.settings(
                UpstreamSettings.Udp.DEFAULT, new UpstreamSettings.Streams(2, 2, Duration.ofSeconds(10)));
        restart(new UpstreamFixture(small));
        for (int i = 0; i < 2; i++) {
            query();
        }
        assertThat(fixture.sum(UpstreamCounter.CONNECTIONS_OPENED)).isOne();
        for (int i = 0; i < 2; i++) {
            query();
        }

        assertThat(query().failure()).isEqualTo(AttemptFailure.TOO_MANY);
        assertThat(fixture.sum(UpstreamCounter.CONNECTIONS_OPENED)).isEqualTo(2);
    }

    @Test
    void floodingClientLeavesCapacity() throws IOException {
        UpstreamSettings small = UpstreamFixture.settings(
                UpstreamSettings.Udp.DEFAULT, new UpstreamSettings.Streams(2, 8, Duration.ofSeconds(10)));
        restart(new UpstreamFixture(small));
        for (int i = 0; i < 8; i++) {
            fixture.query(backend, UpstreamProtocol.TCP, /* client= */ 1, /* isRepeated= */ false);
        }

        assertThat(fixture.query(backend, UpstreamProtocol.TCP, /* client= */ 1, /* isRepeated= */ false)
                        .failure())
                .isEqualTo(AttemptFailure.TOO_MANY);
        assertThat(fixture.outstanding()).isEqualTo(8);
        fixture.query(backend, UpstreamProtocol.TCP, /* client= */ 2, /* isRepeated= */ false);
        assertThat(fixture.outstanding()).isEqualTo(9);
    }

    @Test
    void resentQueriesUseAtMostHalf() throws IOException {
        UpstreamSettings small = UpstreamFixture.settings(
                UpstreamSettings.Udp.DEFAULT, new UpstreamSettings.Streams(2, 2, Duration.ofSeconds(10)));
        restart(new UpstreamFixture(small));
        for (int i = 0; i < 2; i++) {
            fixture.query(backend, UpstreamProtocol.TCP, Upstreams.NO_CLIENT, /* isRepeated= */ true);
        }

        assertThat(fixture.query(backend, UpstreamProtocol.TCP, Upstreams.NO_CLIENT, /* isRepeated= */ true)
                        .failure())
                .isEqualTo(AttemptFailure.TOO_MANY);
        for (int i = 0; i < 2; i++) {
            fixture.query(backend, UpstreamProtocol.TCP, Upstreams.NO_CLIENT, /* isRepeated= */ false);
        }
        assertThat(fixture.outstanding()).isEqualTo(4);
    }

    /** Tests a server that never answers, as if a firewall had dropped the state of the connection. */
    @Test
    void silentConnectIsAbandoned() throws IOException {
        RecordedAttempt silent = query();
        try (FakeServer.Connection connection = server.accept()) {
            connection.receive();
            fixture.pass(TIMEOUT);

            assertThat(silent.failure()).isEqualTo(AttemptFailure.TIMEOUT);
            assertThat(connection.hasEnded()).isTrue();
        }
        RecordedAttempt next = query();
        try (FakeServer.Connection connection = server.accept()) {
            connection.answer();
            next.answer();
        }
    }

    /** Tests a peer that has become unreachable without closing the connection, as after a routing change. */
    @EachTransport
    void queriesMoveFromSilentConnection(TransportKind kind) throws IOException {
        restart(new UpstreamFixture(kind, UpstreamSettings.DEFAULT));
        try (FakeServer.Connection silent = used()) {
            RecordedAttempt second = query();
            silent.receive();

            fixture.pass(UpstreamSettings.DEFAULT.silenceTimeout());

            try (FakeServer.Connection fresh = server.accept()) {
                fresh.answer();
                second.answer();
            }
            assertThat(silent.hasEnded()).isTrue();
            assertThat(fixture.sum(UpstreamCounter.SILENT)).isOne();
        }
    }

    /**
     * Tests a silent connection on which each query is cancelled before the timeout, as when another resolver answers
     * the query or the client gives up.
     */
    @Test
    void silentConnectionIsClosedWithoutWaiters() throws IOException {
        try (FakeServer.Connection silent = used()) {
            for (int i = 0; i < 2; i++) {
                Attempt cancelled = fixture.query(
                        backend, UpstreamFixture.question(NAME), UpstreamProtocol.TCP, new RecordedAttempt());
                silent.receive();
                fixture.run(cancelled::cancel);
                fixture.pass(Duration.ofMillis(200));
            }

            RecordedAttempt next = query();

            try (FakeServer.Connection fresh = server.accept()) {
                fresh.answer();
                next.answer();
            }
        }
    }

    @Test
    void slowLongAnswerIsNoSilence() throws IOException {
        try (FakeServer.Connection connection = used()) {
            RecordedAttempt slow = query();
            byte[] response = FakeServer.response(connection.receive());
            byte[] framed = FakeServer.Connection.framed(response);
            fixture.awaitRead(() -> {
                fixture.elapse();
                connection.sendBytes(Arrays.copyOf(framed, 3));
            });

            fixture.pass(UpstreamSettings.DEFAULT.silenceTimeout());
            connection.sendBytes(Arrays.copyOfRange(framed, 3, framed.length));

            assertThat(slow.answer()).isEqualTo(response);
            assertThat(fixture.sum(UpstreamCounter.SILENT)).isZero();
        }
    }

    @Test
    void oneUnansweredQueryKeepsConnection() throws IOException {
        RecordedAttempt slow = fixture.query(backend, "slow.example", UpstreamProtocol.TCP);
        try (FakeServer.Connection connection = server.accept()) {
            connection.receive();
            fixture.pass(Duration.ofMillis(100));
            RecordedAttempt fast = query();
            connection.answer();
            fast.answer();
            fixture.pass(TIMEOUT);
            assertThat(slow.failure()).isEqualTo(AttemptFailure.TIMEOUT);

            RecordedAttempt next = query();
            connection.answer();

            next.answer();
            assertThat(fixture.sum(UpstreamCounter.CONNECTIONS_OPENED)).isOne();
        }
    }

    @Test
    void closeFailsPendingQueries() throws IOException {
        try (FakeServer.Connection connection = used()) {
            RecordedAttempt second = query();
            connection.receive();

            fixture.run(() -> fixture.upstreams().close());

            assertThat(second.failure()).isEqualTo(AttemptFailure.CLOSED);
            assertThat(connection.hasEnded()).isTrue();
            assertThat(fixture.sum(UpstreamCounter.RETRIED)).isZero();
        }
    }

    private static String name(byte[] message) {
        return Messages.parse(message).getQuestion().getName().toString();
    }
}
