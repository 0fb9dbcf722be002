package io.ballast.net.takeover;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.Socket;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class ProcessLinkTest {

    private static final Duration SOON = Duration.ofSeconds(10);
    private static final long MYSELF = ProcessHandle.current().pid();

    @TempDir
    private Path directory;

    private Path path = Path.of("none");

    @BeforeEach
    void choosePath() {
        Epoll.ensureAvailability(); // loads the native library for the sockets of this test
        path = directory.resolve("link");
    }

    @Test
    void linesAreSentSeparately() throws IOException {
        try (ProcessLink.Acceptor acceptor = new ProcessLink.Acceptor(path);
                ProcessLink to = ProcessLink.connect(path);
                ProcessLink from = requireNonNull(acceptor.await(MYSELF, () -> true, SOON))) {
            from.send("first\nline", SOON);
            from.send("x".repeat(100_000), SOON);

            assertThat(to.receive(SOON)).isEqualTo("first line");
            assertThat(to.receive(SOON)).isEqualTo("x".repeat(8191));
        }
    }

    @Test
    void rejectsSecondConnection() throws IOException {
        try (ProcessLink.Acceptor acceptor = new ProcessLink.Acceptor(path);
                ProcessLink other = ProcessLink.connect(path)) {
            assertThat(acceptor.await(MYSELF + 1, () -> false, SOON)).isNull();

            assertThatThrownBy(() -> other.receive(SOON)).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void socketIsPrivateAndRemovedOnClose() throws IOException {
        try (ProcessLink.Acceptor acceptor = new ProcessLink.Acceptor(path)) {
            assertThat(acceptor).isNotNull();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                    .isEqualTo("rw-------");
        }
        assertThat(path).doesNotExist();
    }

    @Test
    void waitHasTimeout() throws IOException {
        try (ProcessLink.Acceptor acceptor = new ProcessLink.Acceptor(path);
                ProcessLink to = ProcessLink.connect(path)) {
            assertThatThrownBy(() -> acceptor.await(MYSELF + 1, () -> true, Duration.ZERO))
                    .hasMessage("timed out waiting for the new process to connect");
            assertThat(to).isNotNull();
        }
    }

    @Test
    void descriptorsReferToSameSocket() throws IOException {
        Socket socket = Socket.newSocketStream();
        try (ProcessLink.Acceptor acceptor = new ProcessLink.Acceptor(path);
                ProcessLink to = ProcessLink.connect(path);
                ProcessLink from = requireNonNull(acceptor.await(MYSELF, () -> true, SOON))) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            from.send("one", SOON);
            from.sendDescriptor(socket.intValue(), SOON);
            from.send("two", SOON);

            assertThat(to.receive(SOON)).isEqualTo("one");
            Socket same = new Socket(to.receiveDescriptor(SOON));
            try {
                assertThat(same.intValue()).isNotEqualTo(socket.intValue());
                assertThat(same.localAddress()).isEqualTo(socket.localAddress());
            } finally {
                same.close();
            }
            assertThat(to.receive(SOON)).isEqualTo("two");
        } finally {
            socket.close();
        }
    }

    @Test
    void rejectsUnterminatedLine() throws IOException {
        Socket raw = Socket.newSocketDomain();
        try (ProcessLink.Acceptor acceptor = new ProcessLink.Acceptor(path)) {
            raw.connect(new DomainSocketAddress(path.toString()));
            try (ProcessLink link = requireNonNull(acceptor.await(MYSELF, () -> true, SOON))) {
                ByteBuffer endless = ByteBuffer.allocateDirect(10_000);
                raw.write(endless, 0, endless.capacity());

                assertThatThrownBy(() -> link.receive(SOON)).hasMessage("received a line of more than 8192 bytes");
            }
        } finally {
            raw.close();
        }
    }

    /** Tests that only the expected descriptor is received. The system closes all other descriptors. */
    @Test
    void unexpectedDescriptorIsClosed() throws IOException {
        Socket socket = Socket.newSocketStream();
        try (ProcessLink.Acceptor acceptor = new ProcessLink.Acceptor(path);
                ProcessLink to = ProcessLink.connect(path);
                ProcessLink from = requireNonNull(acceptor.await(MYSELF, () -> true, SOON))) {
            for (int i = 0; i < 100; i++) {
                from.sendDescriptor(socket.intValue(), SOON);
            }
            from.send("", SOON);

            to.receive(SOON);

            assertThat(descriptors(socket)).isEqualTo(1);
        } finally {
            socket.close();
        }
    }

    /** The number of this process's descriptors for a socket, including {@code socket} itself. */
    private static long descriptors(Socket socket) throws IOException {
        Path own = target(Path.of("/proc/self/fd/" + socket.intValue()));
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.filter(fd -> target(fd).equals(own)).count();
        }
    }

    private static Path target(Path fd) {
        try {
            return Files.readSymbolicLink(fd);
        } catch (IOException e) {
            return Path.of("closed meanwhile");
        }
    }

    @Test
    void closedLinkFailsInBothDirections() throws IOException {
        try (ProcessLink.Acceptor acceptor = new ProcessLink.Acceptor(path);
                ProcessLink to = ProcessLink.connect(path)) {
            requireNonNull(acceptor.await(MYSELF, () -> true, SOON)).close();

            assertThatThrownBy(() -> to.send("x", SOON)).isInstanceOf(EOFException.class);
            assertThatThrownBy(() -> to.sendDescriptor(0, SOON)).isInstanceOf(EOFException.class);
            assertThatThrownBy(() -> to.receive(SOON)).isInstanceOf(EOFException.class);
            assertThatThrownBy(() -> to.receiveDescriptor(SOON)).isInstanceOf(EOFException.class);
        }
    }
}
