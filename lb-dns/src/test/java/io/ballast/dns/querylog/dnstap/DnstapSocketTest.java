package io.ballast.dns.querylog.dnstap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.dns.testing.DnstapReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests frames to a reader on a Unix socket. Without a reader, or with a slow one, frames are dropped without blocking.
 */
class DnstapSocketTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final byte[] FRAME = {0, 0, 0, 3, 'a', 'b', 'c'};

    @TempDir
    private Path directory;

    private Path path;
    private ServerSocketChannel reader;
    private DnstapSocket socket;

    @BeforeEach
    void start() throws IOException {
        path = directory.resolve("tap.sock");
        socket = new DnstapSocket(path, () -> 0);
        listen();
    }

    private void listen() throws IOException {
        reader = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        reader.bind(UnixDomainSocketAddress.of(path));
    }

    @AfterEach
    void stop() throws IOException {
        reader.close();
        try {
            socket.close();
        } catch (IOException e) {
            // The reader has already closed.
        }
    }

    @Test
    void sendsFramesAfterHandshake() throws Exception {
        socket.flush(0);
        try (SocketChannel peer = reader.accept()) {
            assertThat(control(peer)).isEqualTo(DnstapReader.control(DnstapReader.READY));
            assertThat(socket.offer(FRAME, FRAME.length)).isFalse();
            accept(peer);
            assertThat(socket.offer(FRAME, FRAME.length)).isTrue();
            socket.flush(0);

            assertThat(control(peer)).isEqualTo(DnstapReader.control(DnstapReader.START));
            assertThat(bytes(peer, FRAME.length)).isEqualTo(FRAME);
            CompletableFuture<byte[]> stop = CompletableFuture.supplyAsync(() -> answerStop(peer));
            socket.close();
            assertThat(stop.get(10, TimeUnit.SECONDS)).isEqualTo(DnstapReader.control(DnstapReader.STOP));
            assertThat(socket.lost()).isZero();
        }
    }

    @Test
    void missingReaderIsRetriedWithBackoff() throws Exception {
        reader.close();

        assertThatThrownBy(() -> socket.flush(0)).isInstanceOf(SocketException.class);
        socket.flush(SECOND - 1);
        assertThatThrownBy(() -> socket.flush(SECOND)).isInstanceOf(SocketException.class);
        socket.flush(2 * SECOND);
        assertThatThrownBy(() -> socket.flush(3 * SECOND)).isInstanceOf(ConnectException.class);
        assertThat(socket.offer(FRAME, FRAME.length)).isFalse();

        Files.delete(path);
        listen();
        socket.flush(7 * SECOND);
        try (SocketChannel peer = reader.accept()) {
            control(peer);
            acceptAt(peer, 7 * SECOND);
            assertThat(socket.offer(FRAME, FRAME.length)).isTrue();
        }
    }

    @Test
    void reconnectsToNextReader() throws Exception {
        socket.flush(0);
        try (SocketChannel peer = reader.accept()) {
            control(peer);
            accept(peer);
            socket.offer(FRAME, FRAME.length);
        }

        assertThatThrownBy(() -> socket.flush(0)).isInstanceOfAny(EOFException.class, IOException.class);
        assertThat(socket.lost()).isEqualTo(1);
        socket.flush(SECOND);
        try (SocketChannel peer = reader.accept()) {
            assertThat(control(peer)).isEqualTo(DnstapReader.control(DnstapReader.READY));
        }
    }

    @Test
    void slowReaderDropsFramesWithoutBlocking() throws Exception {
        socket.flush(0);
        try (SocketChannel peer = reader.accept()) {
            control(peer);
            accept(peer);
            byte[] large = new byte[60_000];
            int taken = 0;
            while (socket.offer(large, large.length)) {
                socket.flush(0);
                taken++;
            }

            assertThat(taken).isBetween(17, 100);
            assertThat(socket.isFull()).isTrue();
        }
    }

    @Test
    void slowReaderKeepsReceivedFrames() throws Exception {
        socket.flush(0);
        try (SocketChannel peer = reader.accept()) {
            control(peer);
            accept(peer);
            control(peer);
            byte[] large = new byte[60_000];
            ByteBuffer.wrap(large).putInt(large.length - Integer.BYTES);
            for (int read = 0; read < 40; read++) {
                while (socket.offer(large, large.length)) {
                    socket.flush(0);
                }
                bytes(peer, large.length);
                socket.flush(0);
            }
            peer.close();

            assertThatThrownBy(() -> socket.flush(0)).isInstanceOf(IOException.class);
            assertThat(socket.lost()).isBetween(1L, 1L + DnstapSocket.MAX_PENDING_BYTES / large.length);
        }
    }

    @Test
    void disconnectsReaderOfOtherContent() throws Exception {
        socket.flush(0);
        try (SocketChannel peer = reader.accept()) {
            byte[] other = "protobuf:other".getBytes(StandardCharsets.US_ASCII);
            ByteBuffer accept = ByteBuffer.allocate(20 + other.length)
                    .putInt(0)
                    .putInt(12 + other.length)
                    .putInt(DnstapReader.ACCEPT)
                    .putInt(1)
                    .putInt(other.length)
                    .put(other)
                    .flip();
            peer.write(accept);

            assertThatThrownBy(() -> socket.flush(0)).isInstanceOf(ProtocolException.class);
        }
    }

    @Test
    void handshakeTimesOut() throws Exception {
        socket.flush(0);
        socket.flush(5 * SECOND - 1);

        assertThatThrownBy(() -> socket.flush(5 * SECOND)).isInstanceOf(SocketTimeoutException.class);
    }

    private void accept(SocketChannel peer) throws IOException {
        acceptAt(peer, 0);
    }

    private void acceptAt(SocketChannel peer, long nowNanos) throws IOException {
        byte[] accept = DnstapReader.control(DnstapReader.ACCEPT);
        peer.write(ByteBuffer.allocate(8 + accept.length)
                .putInt(0)
                .putInt(accept.length)
                .put(accept)
                .flip());
        socket.flush(nowNanos);
    }

    private static byte[] answerStop(SocketChannel peer) {
        try {
            byte[] stop = control(peer);
            byte[] finish = DnstapReader.control(DnstapReader.FINISH);
            peer.write(ByteBuffer.allocate(12)
                    .putInt(0)
                    .putInt(finish.length)
                    .put(finish)
                    .flip());
            return stop;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] control(SocketChannel peer) throws IOException {
        ByteBuffer head = ByteBuffer.wrap(bytes(peer, 8));
        assertThat(head.getInt()).isZero();
        return bytes(peer, head.getInt());
    }

    private static byte[] bytes(SocketChannel peer, int count) throws IOException {
        return Channels.newInputStream(peer).readNBytes(count);
    }
}
