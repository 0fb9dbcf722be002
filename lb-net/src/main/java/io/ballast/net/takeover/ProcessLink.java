package io.ballast.net.takeover;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.Errors;
import io.netty.channel.unix.Socket;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A Unix socket between two processes that carries lines of text and file descriptors. The messages carry no type: both
 * processes follow the same fixed sequence. Every wait has a timeout. Requires Netty's native epoll library.
 *
 * <p>Thread safety: confined to one thread.
 */
public final class ProcessLink implements AutoCloseable {

    private static final int MAX_LINE_BYTES = 8192;
    private static final long PAUSE_NANOS = 1_000_000;
    private static final int ADDRESS_BYTES = 128;

    private final Socket socket;
    private final ByteBuffer singleByteBuffer = ByteBuffer.allocateDirect(1);

    private ProcessLink(Socket socket) {
        this.socket = socket;
    }

    /** A listening socket that accepts a connection once, from a single process. */
    public static final class Acceptor implements AutoCloseable {

        private final Socket socket;
        private final Path path;

        /**
         * Listens for connections from processes of the same user only.
         *
         * @throws IOException if listening fails; then no socket or file is left behind
         */
        public Acceptor(Path path) throws IOException {
            this.path = path;
            this.socket = open();
            try {
                Files.deleteIfExists(path);
                socket.bind(new DomainSocketAddress(path.toString()));
                Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
                socket.listen(/* backlog= */ 8);
            } catch (IOException | RuntimeException | Error e) {
                close();
                throw e;
            }
        }

        /**
         * Waits for the process {@code pid} to connect and returns the link; closes connections of other processes.
         *
         * @param alive reports whether the process still runs
         * @return null if the process has ended
         * @throws IOException if it has not connected in time
         */
        public @Nullable ProcessLink await(long pid, Alive alive, Duration max) throws IOException {
            long end = System.nanoTime() + max.toNanos();
            while (true) {
                boolean mayCome = alive.isAlive();
                int accepted = socket.accept(new byte[ADDRESS_BYTES]);
                if (accepted >= 0) {
                    ProcessLink link = new ProcessLink(new Socket(accepted));
                    if (new EpollDomainSocketChannel(accepted).peerCredentials().pid() == pid) {
                        return link;
                    }
                    link.close();
                } else if (mayCome) {
                    pause(end, "the new process to connect");
                } else {
                    return null;
                }
            }
        }

        @Override
        public void close() throws IOException {
            Files.deleteIfExists(path);
            socket.close();
        }
    }

    /** Reports whether the process on the other side of the link is still running. */
    @FunctionalInterface
    public interface Alive {
        boolean isAlive();
    }

    /** @throws IOException if no process listens at {@code path} */
    public static ProcessLink connect(Path path) throws IOException {
        Socket socket = open();
        try {
            socket.connect(new DomainSocketAddress(path.toString()));
            return new ProcessLink(socket);
        } catch (IOException | RuntimeException | Error e) {
            socket.close();
            throw e;
        }
    }

    private static Socket open() throws IOException {
        if (!Epoll.isAvailable()) {
            throw new IOException("cannot hand over sockets: epoll is not available", Epoll.unavailabilityCause());
        }
        return Socket.newSocketDomain();
    }

    /**
     * Sends a line. Line ends in it become spaces, and a line that is too long is truncated.
     *
     * @throws EOFException if the other process has ended
     */
    public void send(String line, Duration max) throws IOException {
        byte[] text = line.replaceAll("[\\r\\n]+", " ").getBytes(StandardCharsets.UTF_8);
        int length = Math.min(text.length, MAX_LINE_BYTES - 1);
        ByteBuffer bytes = ByteBuffer.allocateDirect(length + 1);
        bytes.put(text, 0, length).put((byte) '\n').flip();
        long end = System.nanoTime() + max.toNanos();
        while (bytes.hasRemaining()) {
            int sent = callPeer(() -> socket.write(bytes, bytes.position(), bytes.limit()));
            bytes.position(bytes.position() + Math.max(sent, 0));
            if (bytes.hasRemaining()) {
                pause(end, "the other process to accept a message");
            }
        }
    }

    /**
     * Waits for a line.
     *
     * @throws EOFException if the other process has ended
     */
    public String receive(Duration max) throws IOException {
        long end = System.nanoTime() + max.toNanos();
        ByteBuffer line = ByteBuffer.allocate(MAX_LINE_BYTES);
        while (true) {
            int read = callPeer(
                    () -> socket.read(singleByteBuffer, 0, 1)); // one byte at a time: a descriptor may follow the line
            if (read < 0) {
                throw peerEndedException(null);
            }
            if (read == 0) {
                pause(end, "a message from the other process");
            } else if (singleByteBuffer.get(0) == '\n') {
                return new String(line.array(), 0, line.position(), StandardCharsets.UTF_8);
            } else if (line.hasRemaining()) {
                line.put(singleByteBuffer.get(0));
            } else {
                throw new IOException("received a line of more than " + MAX_LINE_BYTES + " bytes");
            }
        }
    }

    /**
     * Sends a descriptor to the other process; the descriptor also stays open in this process.
     *
     * @throws EOFException if the other process has ended
     */
    public void sendDescriptor(int fd, Duration max) throws IOException {
        long end = System.nanoTime() + max.toNanos();
        while (callPeer(() -> socket.sendFd(fd)) < 0) {
            pause(end, "the other process to accept a socket");
        }
    }

    /**
     * Waits for a file descriptor. Its socket becomes non-blocking in both processes.
     *
     * @throws EOFException if the other process has ended
     */
    public int receiveDescriptor(Duration max) throws IOException {
        long end = System.nanoTime() + max.toNanos();
        while (true) {
            int fd = callPeer(socket::recvFd);
            if (fd < 0) {
                throw peerEndedException(null);
            }
            if (fd > 0) {
                return fd;
            }
            pause(end, "a socket from the other process");
        }
    }

    /** A system call. */
    @FunctionalInterface
    private interface Call {
        int make() throws IOException;
    }

    /** Makes a system call that can only fail if the other side has closed the socket. */
    private static int callPeer(Call call) throws IOException {
        try {
            return call.make();
        } catch (Errors.NativeIoException e) {
            throw peerEndedException(e);
        }
    }

    private static EOFException peerEndedException(@Nullable IOException cause) {
        EOFException ended = new EOFException("the other process has ended");
        ended.initCause(cause);
        return ended;
    }

    private static void pause(long end, String awaited) throws IOException {
        if (System.nanoTime() - end > 0) {
            throw new IOException("timed out waiting for " + awaited);
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("interrupted");
        }
        LockSupport.parkNanos(PAUSE_NANOS);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
