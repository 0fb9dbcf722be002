package io.ballast.net.listen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.config.UnixSocket;
import io.ballast.core.watchdog.Heartbeat;
import io.ballast.net.config.SocketFile;
import io.ballast.net.config.TransportKind;
import io.ballast.net.loop.FrontendLoop;
import io.ballast.net.loop.FrontendLoops;
import io.ballast.net.testing.SocketHandover;
import io.ballast.net.transport.NettyTransport;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.BindException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
@Timeout(60)
class ListeningUnixSocketTest {

    private static final int LOOPS = 2;
    private static final int BACKLOG = 16;

    @TempDir
    private Path directory;

    private Path path;
    private UnixSocket address;
    private final Set<EventLoop> serving = ConcurrentHashMap.newKeySet();
    private final FrontendLoops<Loop> loops = FrontendLoops.start(
            NettyTransport.choose(TransportKind.EPOLL),
            LOOPS,
            "test",
            (index, eventLoop, heartbeat) -> new Loop(eventLoop, heartbeat));

    @BeforeEach
    void place() {
        path = directory.resolve("web.sock");
        address = new UnixSocket(path.toString());
    }

    @AfterEach
    void end() {
        loops.close();
    }

    @Test
    void allEventLoopsServeConnections() throws IOException {
        try (ListeningUnixSocket listening = bind(SocketFile.DEFAULT)) {
            for (int i = 0; i < 2 * LOOPS; i++) {
                assertThat(greeting()).isEqualTo("hello");
            }

            assertThat(serving).hasSize(LOOPS);
            assertThat(listening).isNotNull();
        }
    }

    @Test
    void socketFileHasConfiguredMode() throws IOException {
        try (ListeningUnixSocket listening = bind(mode(0640))) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                    .isEqualTo("rw-r-----");
            assertThat(files()).containsExactly(path);
            assertThat(listening).isNotNull();
        }
    }

    @Test
    void acceptsPresentOwnerAndGroup() throws IOException {
        Object owner = Files.getAttribute(directory, "unix:uid");
        Object group = Files.getAttribute(directory, "unix:gid");
        SocketFile access =
                new SocketFile(Optional.empty(), Optional.of(owner.toString()), Optional.of(group.toString()));
        try (ListeningUnixSocket listening = bind(access)) {
            assertThat(Files.getAttribute(path, "unix:uid")).isEqualTo(owner);
            assertThat(Files.getAttribute(path, "unix:gid")).isEqualTo(group);
            assertThat(listening).isNotNull();
        }
    }

    @Test
    void errorNamesUnknownOwner() throws IOException {
        SocketFile access = new SocketFile(Optional.empty(), Optional.of("no-such-user"), Optional.empty());

        assertRefused(access, "unknown user no-such-user");
        assertThat(files()).isEmpty();
    }

    /** Tests that the file of the socket belongs to the new process, which removes it at the end. */
    @Test
    void otherProcessTakesOverSocket() throws IOException {
        ListeningUnixSocket listening = bind(SocketFile.DEFAULT);
        loops.inherit(SocketHandover.on(listening.sharedSockets()));

        try (ListeningUnixSocket next = bind(SocketFile.DEFAULT)) {
            assertThat(next.sharedSockets()).hasSize(1);
            listening.releaseToSuccessor();
            listening.close();
            next.activate();
            assertThat(greeting()).isEqualTo("hello");
            assertThat(files()).containsExactly(path);
        }
        assertThat(files()).isEmpty();
    }

    /** Tests that a new process that never starts to serve leaves the file to the old process. */
    @Test
    void abandonedTakeOverKeepsFile() throws IOException {
        try (ListeningUnixSocket listening = bind(SocketFile.DEFAULT)) {
            loops.inherit(SocketHandover.on(listening.sharedSockets()));
            bind(SocketFile.DEFAULT).close();

            assertThat(files()).containsExactly(path);
            loops.inherit(SocketHandover.on(listening.sharedSockets())); // the next attempt to take over the socket
            bind(SocketFile.DEFAULT).close();
            assertThat(greeting()).isEqualTo("hello");
        }
    }

    @Test
    void closeRemovesFile() throws IOException {
        ListeningUnixSocket listening = bind(SocketFile.DEFAULT);

        listening.close();

        assertThat(files()).isEmpty();
    }

    @Test
    void closeKeepsFileOfOtherProcess() throws IOException {
        ListeningUnixSocket listening = bind(SocketFile.DEFAULT);
        Files.delete(path);
        try (ServerSocketChannel other = listener(path)) {
            listening.close();
            listening.close();

            assertThat(files()).containsExactly(path);
            assertThat(other.isOpen()).isTrue();
        }
    }

    @Test
    void replacesFileOfDeadProcess() throws IOException {
        listener(path).close();
        listener(directory.resolve("web.sock~")).close();
        assertThat(files()).hasSize(2);

        try (ListeningUnixSocket listening = bind(SocketFile.DEFAULT)) {
            assertThat(greeting()).isEqualTo("hello");
            assertThat(files()).containsExactly(path);
            assertThat(listening).isNotNull();
        }
    }

    @Test
    void rejectsActiveSocket() throws IOException {
        try (ServerSocketChannel other = listener(path)) {
            assertRefused(SocketFile.DEFAULT, "another process is listening on the socket");
            assertThat(other.isOpen()).isTrue();
            assertThat(files()).containsExactly(path);
        }
    }

    @Test
    void rejectsFileThatIsNoSocket() throws IOException {
        Files.writeString(path, "precious");

        assertRefused(SocketFile.DEFAULT, path + " exists and is not a socket");
        assertThat(path).hasContent("precious");
    }

    @Test
    void errorNamesMissingDirectory() {
        UnixSocket nonLocal = new UnixSocket(directory.resolve("run/web.sock").toString());

        assertThatThrownBy(() -> bind(nonLocal, SocketFile.DEFAULT))
                .isInstanceOf(BindException.class)
                .hasMessage("cannot listen on " + nonLocal + ": directory does not exist: " + directory.resolve("run"));
    }

    private void assertRefused(SocketFile access, String reason) {
        assertThatThrownBy(() -> bind(access))
                .isInstanceOf(BindException.class)
                .hasMessage("cannot listen on unix:" + path + ": " + reason);
    }

    private static SocketFile mode(int mode) {
        return new SocketFile(Optional.of(mode), Optional.empty(), Optional.empty());
    }

    private ListeningUnixSocket bind(SocketFile access) throws BindException {
        return bind(address, access);
    }

    private ListeningUnixSocket bind(UnixSocket where, SocketFile access) throws BindException {
        ServerBootstrap greeting = new ServerBootstrap().childHandler(new Greeting());
        ListeningUnixSocket bound = ListeningUnixSocket.bind(where, access, loops, greeting, BACKLOG, loop -> {});
        bound.accept();
        return bound;
    }

    private static ServerSocketChannel listener(Path path) throws IOException {
        return ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(path));
    }

    private Set<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return Set.copyOf(files.toList());
        }
    }

    private String greeting() throws IOException {
        ByteBuffer read = ByteBuffer.allocate(16);
        try (SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            while (client.read(read) >= 0) {}
        }
        return new String(read.array(), 0, read.position(), StandardCharsets.US_ASCII);
    }

    private static final class Loop extends FrontendLoop {

        Loop(EventLoop eventLoop, Heartbeat heartbeat) {
            super(eventLoop, heartbeat);
        }
    }

    @Sharable
    private final class Greeting extends ChannelInboundHandlerAdapter {

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            serving.add(ctx.channel().eventLoop());
            ctx.writeAndFlush(Unpooled.copiedBuffer("hello", StandardCharsets.US_ASCII))
                    .addListener(ChannelFutureListener.CLOSE);
        }
    }
}
