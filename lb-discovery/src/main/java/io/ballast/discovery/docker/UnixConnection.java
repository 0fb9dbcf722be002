package io.ballast.discovery.docker;

import io.ballast.core.DurationText;
import io.ballast.core.ErrorText;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A connection over a Unix socket with time limits for all operations. Confined to one thread; interrupting
 * this thread ends each wait.
 */
final class UnixConnection implements AutoCloseable {

    private static final int BUFFER_BYTES = 16 << 10;

    private final SocketChannel channel;
    private final Selector selector;
    private final Duration timeout;
    private final ByteBuffer unread = ByteBuffer.allocate(BUFFER_BYTES).flip();

    private UnixConnection(SocketChannel channel, Selector selector, Duration timeout) {
        this.channel = channel;
        this.selector = selector;
        this.timeout = timeout;
    }

    /** @param timeout the time limit for each read and each write */
    static UnixConnection open(Path socket, Duration timeout) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.configureBlocking(false);
            if (!channel.connect(UnixDomainSocketAddress.of(socket))) {
                throw new IOException("the server does not accept connections at the moment");
            }
            Selector selector = Selector.open();
            channel.register(selector, SelectionKey.OP_READ);
            return new UnixConnection(channel, selector, timeout);
        } catch (IOException e) {
            channel.close();
            throw new IOException(socket + ": " + ErrorText.of(e), e);
        }
    }

    void send(byte[] bytes) throws IOException, InterruptedException {
        ByteBuffer left = ByteBuffer.wrap(bytes);
        while (channel.write(left) >= 0 && left.hasRemaining()) {
            if (!awaits(SelectionKey.OP_WRITE, timeout)) {
                throw new IOException("the server accepted no data for " + DurationText.of(timeout));
            }
        }
    }

    /** Waits for input or the end of input; returns whether either arrived within the time. */
    boolean awaitInput(Duration wait) throws IOException, InterruptedException {
        return unread.hasRemaining() || awaits(SelectionKey.OP_READ, wait);
    }

    /** Returns the next byte, or -1 at the end. */
    int read() throws IOException, InterruptedException {
        return fill() ? unread.get() & 0xFF : -1;
    }

    /** Reads 1 to {@code max} bytes; returns their number, or -1 at the end. */
    int read(byte[] bytes, int max) throws IOException, InterruptedException {
        if (!fill()) {
            return -1;
        }
        int count = Math.min(Math.min(max, bytes.length), unread.remaining());
        unread.get(bytes, 0, count);
        return count;
    }

    /**
     * Reads a line and returns it without its line terminator.
     *
     * @param max the maximum length in bytes
     */
    String readLine(int max) throws IOException, InterruptedException {
        StringBuilder line = new StringBuilder();
        for (int b = read(); b != '\n'; b = read()) {
            if (b < 0) {
                throw new EOFException("answer ends in the middle of a line");
            }
            line.append((char) b);
            if (line.length() > max) {
                throw new IOException("a line is longer than " + max + " bytes");
            }
        }
        int end = line.length() - 1;
        if (end >= 0 && line.charAt(end) == '\r') {
            line.setLength(end);
        }
        return line.toString();
    }

    /** Fills the buffer if it is empty; returns false at the end of input. */
    private boolean fill() throws IOException, InterruptedException {
        while (!unread.hasRemaining()) {
            int count = channel.read(unread.clear());
            unread.flip();
            if (count < 0) {
                return false;
            }
            if (count == 0 && !awaits(SelectionKey.OP_READ, timeout)) {
                throw new IOException("no data received for " + DurationText.of(timeout));
            }
        }
        return true;
    }

    private boolean awaits(int operation, Duration wait) throws IOException, InterruptedException {
        channel.keyFor(selector).interestOps(operation);
        int ready = wait.isZero() ? selector.selectNow() : selector.select(Math.max(1, wait.toMillis()));
        selector.selectedKeys().clear();
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return ready > 0;
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            selector.close();
        }
    }
}
