package io.ballast.dns.forward.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.ballast.core.backend.Backend;
import io.ballast.net.config.TransportKind;
import io.ballast.net.listen.FileDescriptorReserve;
import io.ballast.net.transport.NettyTransport;
import io.netty.channel.ChannelException;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests queries while no file descriptor is free for further sockets. */
class UpstreamDescriptorsTest {

    private static final String NAME = "www.example.com";
    private static final int QUERIES = 50;

    /** The number of sockets that can still be opened; {@link #refused} counts the failed attempts to open a socket. */
    private static volatile int left;

    private static volatile int refused;

    private FakeServer server;

    @BeforeEach
    void open() throws IOException {
        server = new FakeServer();
        refused = 0;
    }

    /** Resets the shortage flag for other tests in this process. */
    @AfterEach
    void close() throws IOException {
        server.close();
        FileDescriptorReserve.ofProcess().hasRecovered();
    }

    @Test
    void queriesUseOpenSocket() throws IOException {
        left = 1;
        try (UpstreamFixture fixture = udp(/* outstanding= */ 100)) {
            Backend backend = fixture.backend(server.address());

            answerAll(fixture, backend);

            assertThat(refused).as("attempts without passing time").isEqualTo(1);
            left = 100;
            fixture.pass(UpstreamLoop.DESCRIPTOR_RETRY);
            answerAll(fixture, backend);
            assertThat(fixture.sockets()).isGreaterThan(1);
            assertThat(refused).isEqualTo(1);
        }
    }

    private void answerAll(UpstreamFixture fixture, Backend backend) throws IOException {
        for (int i = 0; i < QUERIES; i++) {
            RecordedAttempt attempt = fixture.query(backend, NAME);
            FakeServer.Query query = server.receive();
            server.answer(query);
            assertThat(attempt.answer()).isEqualTo(FakeServer.response(query.bytes()));
        }
    }

    @Test
    void queryFailsWithoutSocket() {
        left = 0;
        try (UpstreamFixture fixture = udp(/* outstanding= */ 100)) {
            RecordedAttempt attempt = fixture.query(fixture.backend(server.address()), NAME);

            assertThat(attempt.failure()).isEqualTo(AttemptFailure.NO_DESCRIPTORS);
            assertThat(fixture.outstanding()).isZero();
            awaitNoSockets(fixture);
        }
    }

    /**
     * Waits until no socket is left: a channel without a descriptor ends by itself, shortly after its query has failed.
     */
    private static void awaitNoSockets(UpstreamFixture fixture) {
        assertTimeoutPreemptively(Duration.ofSeconds(10), () -> {
            while (fixture.sockets() > 0) {
                Thread.onSpinWait();
            }
        });
    }

    /** Tests queries while the only socket is full, so that each query tries to open another socket. */
    @Test
    void queryFailsIfOpenSocketIsFull() throws IOException {
        left = 1;
        try (UpstreamFixture fixture = udp(/* outstanding= */ 1)) {
            Backend backend = fixture.backend(server.address());
            RecordedAttempt first = fixture.query(backend, NAME);

            assertThat(fixture.query(backend, NAME).failure()).isEqualTo(AttemptFailure.NO_DESCRIPTORS);

            server.answer(server.receive());
            first.answer();
        }
    }

    @Test
    void queriesUseOpenConnection() throws IOException {
        left = 1;
        UpstreamSettings.Streams two = new UpstreamSettings.Streams(
                /* connections= */ 2, /* outstandingPerConnection= */ 2, Duration.ofMinutes(1));
        try (UpstreamFixture fixture = scarce(UpstreamFixture.settings(UpstreamSettings.Udp.DEFAULT, two))) {
            Backend backend = fixture.backend(server.address());
            RecordedAttempt first = fixture.query(backend, NAME, UpstreamProtocol.TCP);
            RecordedAttempt second = fixture.query(backend, NAME, UpstreamProtocol.TCP);

            assertThat(fixture.query(backend, NAME, UpstreamProtocol.TCP).failure())
                    .isEqualTo(AttemptFailure.NO_DESCRIPTORS);

            try (FakeServer.Connection connection = server.accept()) {
                connection.answer();
                connection.answer();
                first.answer();
                second.answer();
                RecordedAttempt third = fixture.query(backend, NAME, UpstreamProtocol.TCP);
                connection.answer();
                third.answer();
            }
            assertThat(refused).isEqualTo(1);
        }
    }

    private static UpstreamFixture udp(int outstanding) {
        return scarce(UpstreamFixture.settings(new UpstreamSettings.Udp(
                /* sockets= */ 8, outstanding, /* queriesPerSocket= */ 1000, Duration.ofMinutes(1))));
    }

    private static UpstreamFixture scarce(UpstreamSettings settings) {
        NettyTransport nio = NettyTransport.choose(TransportKind.NIO);
        return new UpstreamFixture(
                new NettyTransport(
                        nio.kind(),
                        nio.why(),
                        nio.sharesPort(),
                        nio.ioHandler(),
                        nio.serverChannel(),
                        ScarceConnection.class,
                        nio.datagramChannel()),
                UpstreamDescriptorsTest::openUdpSocket,
                settings);
    }

    /** Called by the event loop only. */
    @SuppressWarnings("NonAtomicVolatileUpdate")
    private static void takeDescriptor() {
        if (left == 0) {
            refused++;
            throw new ChannelException("Failed to open a socket.", new IOException("Too many open files"));
        }
        left--;
    }

    private static NioDatagramChannel openUdpSocket() {
        takeDescriptor();
        return new NioDatagramChannel();
    }

    /** A TCP connection that fails if no descriptor is left. */
    public static final class ScarceConnection extends NioSocketChannel {

        /** Called by Netty through reflection. */
        public ScarceConnection() {
            takeDescriptor();
        }
    }
}
