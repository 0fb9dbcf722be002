package io.ballast.core.log;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends syslog messages over TCP, each after its length (RFC 6587 section 3.4.1). While the server is slow or unreachable,
 * up to {@value #MAX_QUEUED_BYTES} bytes wait, and further messages are lost. Connects again with a delay
 * that grows from {@value #FIRST_DELAY_MILLIS} ms to 30 s. Messages that the system has accepted before a connection
 * breaks are lost without being counted, because the protocol has no acknowledgement. Confined to the writer thread.
 */
public final class TcpSyslogTarget extends SyslogTarget {

    static final int MAX_QUEUED_BYTES = 1 << 20;
    static final int FIRST_DELAY_MILLIS = 100;

    private static final long FIRST_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(FIRST_DELAY_MILLIS);
    private static final long LONGEST_DELAY_NANOS = TimeUnit.SECONDS.toNanos(30);
    /** The longest wait for a slow server at the end. */
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long CLOSE_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final int FRAMES_PER_WRITE = 64;

    private final InetSocketAddress server;
    private final LongSupplier nanoTime;
    private final ArrayDeque<ByteBuffer> frames = new ArrayDeque<>();
    private final ByteBuffer received = ByteBuffer.allocate(512);
    private int queuedBytes;
    private @Nullable SocketChannel channel;
    private boolean connected;
    private long delayNanos;
    private long nextConnect;

    /** @param nanoTime the monotonic clock */
    public TcpSyslogTarget(InetSocketAddress server, LongSupplier nanoTime) {
        this.server = server;
        this.nanoTime = nanoTime;
        this.nextConnect = nanoTime.getAsLong();
    }

    @Override
    boolean send(byte[] bytes, int from, int to) {
        byte[] length = (to - from + " ").getBytes(StandardCharsets.US_ASCII);
        int size = length.length + to - from;
        if (queuedBytes + size > MAX_QUEUED_BYTES) {
            flush();
            if (queuedBytes + size > MAX_QUEUED_BYTES) {
                return false;
            }
        }
        frames.add(ByteBuffer.allocate(size)
                .put(length)
                .put(bytes, from, to - from)
                .flip());
        queuedBytes += size;
        return true;
    }

    @Override
    void flush() {
        try {
            if (isConnected()) {
                writeFrames();
            }
        } catch (IOException e) {
            disconnect(e);
        }
    }

    private boolean isConnected() throws IOException {
        SocketChannel current = channel;
        if (current == null) {
            if (nanoTime.getAsLong() - nextConnect < 0) {
                return false;
            }
            current = SocketChannel.open();
            channel = current;
            current.configureBlocking(/* block= */ false);
            connected = current.connect(server);
        } else if (!connected) {
            connected = current.finishConnect();
        }
        return connected;
    }

    private void writeFrames() throws IOException {
        SocketChannel current = channel;
        while (current != null && !frames.isEmpty()) {
            detectEnd(current);
            ByteBuffer[] next = frames.stream().limit(FRAMES_PER_WRITE).toArray(ByteBuffer[]::new);
            if (current.write(next) == 0) {
                return;
            }
            delayNanos = 0;
            while (!frames.isEmpty() && !frames.getFirst().hasRemaining()) {
                queuedBytes -= frames.removeFirst().limit();
            }
        }
    }

    /** Detects that the server has closed the connection, which a write would not report. Discards what it has sent. */
    private void detectEnd(SocketChannel current) throws IOException {
        received.clear();
        if (current.read(received) < 0) {
            throw new EOFException("closed the connection");
        }
    }

    private void disconnect(IOException cause) {
        fail(cause);
        SocketChannel broken = channel;
        channel = null;
        connected = false;
        delayNanos = delayNanos == 0 ? FIRST_DELAY_NANOS : Math.min(2 * delayNanos, LONGEST_DELAY_NANOS);
        nextConnect = nanoTime.getAsLong() + delayNanos;
        closeQuietly(broken);
        ByteBuffer first = frames.peekFirst();
        if (first != null && first.position() > 0) { // a new connection must begin with a whole frame
            frames.removeFirst();
            queuedBytes -= first.limit();
            lose(1, cause);
        }
    }

    private static void closeQuietly(@Nullable SocketChannel broken) {
        try {
            if (broken != null) {
                broken.close();
            }
        } catch (IOException e) {
            // The connection is broken anyway; its failure is reported.
        }
    }

    @Override
    String address() {
        return server.getAddress().getHostAddress() + ":" + server.getPort();
    }

    /** Sends what is queued, waiting up to a second. */
    @Override
    public void close() {
        long start = System.nanoTime();
        flush();
        while (!frames.isEmpty() && channel != null && System.nanoTime() - start < CLOSE_NANOS) {
            LockSupport.parkNanos(CLOSE_POLL_NANOS);
            flush();
        }
        closeQuietly(channel);
        channel = null;
        frames.clear();
        queuedBytes = 0;
    }
}
