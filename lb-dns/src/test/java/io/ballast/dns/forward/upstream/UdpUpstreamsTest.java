package io.ballast.dns.forward.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.dns.testing.Messages;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import io.ballast.net.transport.NettyTransport;
import io.netty.channel.socket.DatagramChannel;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class UdpUpstreamsTest {

    private static final String NAME = "www.example.com";
    private static final Duration TIMEOUT = UpstreamSettings.DEFAULT.attemptTimeout();

    private FakeServer server;

    @BeforeEach
    void open() throws IOException {
        server = new FakeServer();
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    /** A change that makes a message differ from a valid answer. */
    private enum Fault {
        ID(message -> message[0] ^= 1),
        NO_RESPONSE(message -> message[2] &= 0x7f),
        OPCODE(message -> message[2] |= 0x20),
        NO_QUESTION(message -> message[5] = 0),
        TWO_QUESTIONS(message -> message[5] = 2),
        NAME(message -> message[13] ^= 1),
        TYPE(message -> message[12 + 17 + 1] ^= 1),
        CLASS(message -> message[12 + 17 + 3] ^= 1);

        private final Consumer<byte[]> change;

        Fault(Consumer<byte[]> change) {
            this.change = change;
        }
    }

    @EachTransport
    void forwardsAnswerUnchanged(TransportKind kind) throws IOException {
        try (UpstreamFixture fixture = new UpstreamFixture(kind, UpstreamSettings.DEFAULT)) {
            RecordedAttempt recordedAttempt = fixture.query(fixture.backend(server.address()), NAME);
            FakeServer.Query query = server.receive();
            assertThat(fixture.outstanding()).isOne();

            server.answer(query);

            assertThat(recordedAttempt.answer()).isEqualTo(FakeServer.response(query.bytes()));
            assertThat(fixture.outstanding()).isZero();
            assertThat(fixture.sum(UpstreamCounter.QUERIES_UDP)).isOne();
            assertThat(fixture.sum(UpstreamCounter.ANSWERED)).isOne();
        }
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void ignoresMismatchingMessages(Fault fault) throws IOException {
        try (UpstreamFixture fixture = new UpstreamFixture(UpstreamSettings.DEFAULT)) {
            RecordedAttempt recordedAttempt = fixture.query(fixture.backend(server.address()), NAME);
            FakeServer.Query query = server.receive();
            byte[] forged = FakeServer.response(query.bytes());
            fault.change.accept(forged);

            server.send(forged, query.from());
            server.answer(query);

            assertThat(recordedAttempt.answer()).isEqualTo(FakeServer.response(query.bytes()));
            assertThat(fixture.sum(UpstreamCounter.MISMATCHED)).isOne();
        }
    }

    @Test
    void ignoresTruncatedDatagrams() throws IOException {
        try (UpstreamFixture fixture = new UpstreamFixture(UpstreamSettings.DEFAULT)) {
            RecordedAttempt recordedAttempt = fixture.query(fixture.backend(server.address()), NAME);
            FakeServer.Query query = server.receive();
            byte[] response = FakeServer.response(query.bytes());

            for (int length : new int[] {0, 1, 11, 12, 13, 30}) {
                server.send(ByteBuffer.allocate(length).put(response, 0, length).array(), query.from());
            }
            server.answer(query);

            assertThat(recordedAttempt.answer()).isEqualTo(response);
            assertThat(fixture.sum(UpstreamCounter.MISMATCHED)).isEqualTo(6);
        }
    }

    @EachTransport
    void ignoresAnswerFromOtherAddress(TransportKind kind) throws IOException {
        try (UpstreamFixture fixture = new UpstreamFixture(kind, UpstreamSettings.DEFAULT);
                DatagramSocket forger = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            RecordedAttempt recordedAttempt = fixture.query(fixture.backend(server.address()), NAME);
            FakeServer.Query query = server.receive();
            byte[] forged = FakeServer.response(query.bytes());
            forged[3] |= 3; // NXDOMAIN

            forger.send(new DatagramPacket(forged, forged.length, query.from()));
            server.answer(query);

            assertThat(recordedAttempt.answer()).isEqualTo(FakeServer.response(query.bytes()));
            assertThat(recordedAttempt.resultCount()).isOne();
            assertThat(fixture.sum(UpstreamCounter.MISMATCHED)).isZero();
        }
    }

    @Test
    void ignoresAnswerToOtherSocket() throws IOException {
        try (UpstreamFixture fixture = new UpstreamFixture(UpstreamFixture.oneSocket(1, 1))) {
            Backend backend = fixture.backend(server.address());
            RecordedAttempt first = fixture.query(backend, NAME);
            FakeServer.Query one = server.receive();
            RecordedAttempt second = fixture.query(backend, NAME);
            FakeServer.Query other = server.receive();
            assertThat(one.port()).isNotEqualTo(other.port());

            server.send(FakeServer.response(one.bytes()), other.from());
            server.answer(other);
            server.answer(one);

            assertThat(second.answer()).isEqualTo(FakeServer.response(other.bytes()));
            assertThat(first.answer()).isEqualTo(FakeServer.response(one.bytes()));
            assertThat(fixture.sum(UpstreamCounter.MISMATCHED)).isOne();
        }
    }

    @Test
    void randomizesIdsPortsAndCase() throws IOException {
        int queries = 400;
        Set<Integer> ports = new HashSet<>();
        Set<String> names = new HashSet<>();
        List<Integer> ids = new ArrayList<>();
        try (UpstreamFixture fixture = new UpstreamFixture(UpstreamSettings.DEFAULT)) {
            Backend backend = fixture.backend(server.address());
            for (int i = 0; i < queries; i++) {
                RecordedAttempt recordedAttempt = fixture.query(backend, NAME);
                FakeServer.Query query = server.receive();
                server.answer(query);
                recordedAttempt.answer();
                ports.add(query.port());
                ids.add(query.id());
                names.add(Messages.parse(query.bytes()).getQuestion().getName().toString());
            }
            // The probability that one of 16 ports is never used in 400 queries is one in ten billion.
            assertThat(ports).hasSize(16);
            assertThat(fixture.sum(UpstreamCounter.SOCKETS_OPENED)).isEqualTo(16);
        }
        assertThat(new HashSet<>(ids)).hasSizeGreaterThan(queries * 9 / 10);
        assertThat(names).hasSizeGreaterThan(queries * 9 / 10);
        int ascents = 0;
        Set<Integer> steps = new HashSet<>();
        for (int i = 1; i < queries; i++) {
            ascents += ids.get(i) > ids.get(i - 1) ? 1 : 0;
            steps.add(ids.get(i) - ids.get(i - 1));
        }
        assertThat(ascents).isBetween(queries / 4, queries * 3 / 4);
        assertThat(steps).hasSizeGreaterThan(queries * 9 / 10);
    }

    @Test
    void keepsCaseIfConfigured() throws IOException {
        UpstreamSettings all = UpstreamSettings.DEFAULT;
        UpstreamSettings plain = new UpstreamSettings(
                all.attemptTimeout(),
                all.outstandingPerServer(),
                /* mixedCase= */ false,
                all.udp(),
                all.streams(),
                all.tls());
        try (UpstreamFixture fixture = new UpstreamFixture(all)) {
            fixture.run(() -> fixture.upstreams().settings(plain));
            String longName = "abcdefghijklmnopqrstuvwxyz.abcdefghijklmnopqrstuvwxyz.example.";
            fixture.query(fixture.backend(server.address()), longName);

            assertThat(Messages.parse(server.receive().bytes()).getQuestion().getName())
                    .hasToString(longName);
        }
    }

    @EachTransport
    void refusedPortFailsQueriesImmediately(TransportKind kind) {
        server.closeUdp();
        try (UpstreamFixture fixture = new UpstreamFixture(kind, UpstreamFixture.oneSocket(100, 100))) {
            Backend backend = fixture.backend(server.address());
            List<RecordedAttempt> all = new ArrayList<>();
            fixture.run(() -> {
                for (int i = 0; i < 3; i++) {
                    RecordedAttempt recordedAttempt = new RecordedAttempt();
                    all.add(recordedAttempt);
                    fixture.begin(backend, UpstreamFixture.question(NAME), UpstreamProtocol.UDP, recordedAttempt);
                }
            });

            assertThat(all).extracting(RecordedAttempt::failure).containsOnly(AttemptFailure.REFUSED_CONNECTION);
            assertThat(fixture.outstanding()).isZero();
            assertThat(fixture.sockets()).isZero();
            assertThat(fixture.sum(UpstreamCounter.FAILED)).isEqualTo(3);
        }
    }

    @Test
    void failedSocketFailsWaitingQueries() {
        NettyTransport nio = NettyTransport.choose(TransportKind.NIO);
        NettyTransport broken = new NettyTransport(
                nio.kind(),
                nio.why(),
                nio.sharesPort(),
                nio.ioHandler(),
                nio.serverChannel(),
                nio.channel(),
                NoSocket.class);
        try (UpstreamFixture fixture = new UpstreamFixture(broken, UpstreamSettings.DEFAULT)) {
            RecordedAttempt recordedAttempt = fixture.query(fixture.backend(server.address()), NAME);

            assertThat(recordedAttempt.failure()).isEqualTo(AttemptFailure.UNREACHABLE);
            assertThat(fixture.sockets()).isZero();
        }
    }

    /** A channel whose creation fails, as if the process had no free file descriptor. */
    public abstract static class NoSocket implements DatagramChannel {
        @SuppressWarnings("PublicConstructorForAbstractClass") // called by Netty through reflection
        public NoSocket() {}
    }

    @Test
    void lateAnswerIsIgnoredAfterTimeout() throws IOException {
        try (UpstreamFixture fixture = new UpstreamFixture(UpstreamFixture.oneSocket(10, 10))) {
            Backend backend = fixture.backend(server.address());
            RecordedAttempt recordedAttempt = fixture.query(backend, NAME);
            FakeServer.Query query = server.receive();

            fixture.pass(TIMEOUT.minusMillis(400));
            assertThat(recordedAttempt.resultCount()).isZero();
            fixture.pass(Duration.ofMillis(200));

            assertThat(recordedAttempt.failure()).isEqualTo(AttemptFailure.TIMEOUT);
            assertThat(fixture.sum(UpstreamCounter.TIMEOUTS)).isOne();
            RecordedAttempt next = fixture.query(backend, NAME);
            FakeServer.Query other = server.receive();
            server.answer(query);
            server.answer(other);
            next.answer();
            assertThat(recordedAttempt.resultCount()).isOne();
            assertThat(fixture.sum(UpstreamCounter.MISMATCHED)).isOne();
        }
    }

    @Test
    void cancelledQueryGetsNoCallback() throws IOException {
        try (UpstreamFixture fixture = new UpstreamFixture(UpstreamFixture.oneSocket(10, 10))) {
            Backend backend = fixture.backend(server.address());
            RecordedAttempt recordedAttempt = new RecordedAttempt();
            Attempt attempt =
                    fixture.query(backend, UpstreamFixture.question(NAME), UpstreamProtocol.UDP, recordedAttempt);
            FakeServer.Query query = server.receive();

            fixture.run(attempt::cancel);
            fixture.run(attempt::cancel);
            RecordedAttempt next = fixture.query(backend, NAME);
            server.answer(query);
            server.answer(server.receive());
            next.answer();
            fixture.pass(TIMEOUT);

            assertThat(recordedAttempt.resultCount()).isZero();
            assertThat(fixture.outstanding()).isZero();
        }
    }

    @Test
    void immediatelyCancelledQueryIsNotSent() throws IOException {
        try (UpstreamFixture fixture = new UpstreamFixture(UpstreamSettings.DEFAULT)) {
            Backend backend = fixture.backend(server.address());
            fixture.run(() -> fixture.begin(
                            backend,
                            UpstreamFixture.question("never.example"),
                            UpstreamProtocol.UDP,
                            new RecordedAttempt())
                    .cancel());
            fixture.query(backend, NAME);
            server.receive();

            assertThat(fixture.sum(UpstreamCounter.QUERIES_UDP)).isOne();
        }
    }

    @Test
    void newestQueryIsRefusedAtLimit() throws IOException {
        UpstreamSettings all = UpstreamSettings.DEFAULT;
        UpstreamSettings two = new UpstreamSettings(TIMEOUT, 2, true, all.udp(), all.streams(), all.tls());
        try (UpstreamFixture fixture = new UpstreamFixture(two)) {
            Backend backend = fixture.backend(server.address());
            RecordedAttempt first = fixture.query(backend, NAME);
            RecordedAttempt second = fixture.query(backend, NAME);
            RecordedAttempt third = new RecordedAttempt();
            boolean reportedEarly = fixture.call(() -> {
                fixture.begin(backend, UpstreamFixture.question(NAME), UpstreamProtocol.UDP, third);
                return third.resultCount() > 0;
            });

            assertThat(third.failure()).isEqualTo(AttemptFailure.TOO_MANY);
            assertThat(reportedEarly).isFalse();
            server.answer(server.receive());
            server.answer(server.receive());
            first.answer();
            second.answer();
            RecordedAttempt fourth = fixture.query(backend, NAME);
            server.answer(server.receive());
            fourth.answer();
            assertThat(fixture.sum(UpstreamCounter.TOO_MANY)).isOne();
            assertThat(fixture.sum(UpstreamCounter.QUERIES_UDP)).isEqualTo(3);
        }
    }

    @Test
    void resolverWithoutAddressGetsNoQuery() {
        try (UpstreamFixture fixture = new UpstreamFixture(UpstreamSettings.DEFAULT)) {
            Backend backend = fixture.backend(InetSocketAddress.createUnresolved("nowhere.invalid", 53));
            RecordedAttempt recordedAttempt = new RecordedAttempt();
            boolean reportedEarly = fixture.call(() -> {
                fixture.begin(backend, UpstreamFixture.question(NAME), UpstreamProtocol.UDP, recordedAttempt);
                return recordedAttempt.resultCount() > 0;
            });

            assertThat(recordedAttempt.failure()).isEqualTo(AttemptFailure.UNREACHABLE);
            assertThat(reportedEarly).isFalse();
        }
    }

    @Test
    void closeFailsPendingAndLaterQueries() throws IOException {
        try (UpstreamFixture fixture = new UpstreamFixture(UpstreamSettings.DEFAULT)) {
            Backend backend = fixture.backend(server.address());
            RecordedAttempt sent = fixture.query(backend, NAME);
            server.receive();
            RecordedAttempt unsent = new RecordedAttempt();
            fixture.run(() -> {
                fixture.begin(backend, UpstreamFixture.question(NAME), UpstreamProtocol.UDP, unsent);
                fixture.upstreams().close();
            });
            RecordedAttempt late = fixture.query(backend, NAME);

            assertThat(List.of(sent, unsent, late))
                    .extracting(RecordedAttempt::failure)
                    .containsOnly(AttemptFailure.CLOSED);
            assertThat(List.of(sent, unsent, late))
                    .extracting(RecordedAttempt::resultCount)
                    .containsOnly(1);
            assertThat(fixture.sockets()).isZero();
            assertThat(fixture.outstanding()).isZero();
        }
    }

    @Test
    void callbackMayQueryAgain() throws IOException {
        try (UpstreamFixture fixture = new UpstreamFixture(UpstreamSettings.DEFAULT)) {
            Backend backend = fixture.backend(server.address());
            RecordedAttempt second = new RecordedAttempt();
            RecordedAttempt first = new RecordedAttempt() {
                @Override
                public void onFailure(Attempt attempt, AttemptFailure why) {
                    super.onFailure(attempt, why);
                    fixture.begin(attempt.backend(), attempt.question(), attempt.protocol(), second);
                }
            };
            Attempt attempt = fixture.query(backend, UpstreamFixture.question(NAME), UpstreamProtocol.UDP, first);
            server.receive();
            assertThat(attempt.sentNanos()).isEqualTo(fixture.now());

            fixture.pass(TIMEOUT);
            server.answer(server.receive());

            second.answer();
            assertThat(first.resultCount()).isOne();
        }
    }

    @Test
    void throwingListenerDoesNotAffectOthers() {
        server.closeUdp();
        try (UpstreamFixture fixture = new UpstreamFixture(UpstreamFixture.oneSocket(10, 10))) {
            Backend backend = fixture.backend(server.address());
            RecordedAttempt other = new RecordedAttempt();
            fixture.run(() -> {
                fixture.begin(backend, UpstreamFixture.question(NAME), UpstreamProtocol.UDP, new RecordedAttempt() {
                    @Override
                    public void onFailure(Attempt attempt, AttemptFailure why) {
                        throw new IllegalStateException("a defect");
                    }
                });
                fixture.begin(backend, UpstreamFixture.question(NAME), UpstreamProtocol.UDP, other);
            });

            assertThat(other.failure()).isEqualTo(AttemptFailure.REFUSED_CONNECTION);
            fixture.pass(Duration.ZERO);
            assertThat(fixture.sum(UpstreamCounter.ERRORS)).isOne();
        }
    }
}
