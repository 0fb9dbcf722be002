package io.ballast.core.log;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * Sends syslog messages over TCP, each after its length (RFC 6587 section 3.4.1), optionally over TLS (RFC 5425). While
 * the server is slow or unreachable, up to {@value #MAX_QUEUED_BYTES} bytes wait, and further messages are lost.
 * Connects again with a delay that grows from {@value #FIRST_DELAY_MILLIS} ms to 30 s. Messages that the system has
 * accepted before a connection breaks are lost without being counted, because the protocol has no acknowledgement.
 * Confined to the writer thread.
 */
public final class TcpSyslogTarget extends SyslogTarget {

    static final int MAX_QUEUED_BYTES = 1 << 20;
    static final int FIRST_DELAY_MILLIS = 100;

    private static final long FIRST_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(FIRST_DELAY_MILLIS);
    private static final long LONGEST_DELAY_NANOS = TimeUnit.SECONDS.toNanos(30);
    /** The longest time for which {@link #close} sends queued messages to a slow server. */
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The longest wait until the server has closed the connection too. */
    private static final long LINGER_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final long CLOSE_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final int FRAMES_PER_WRITE = 64;

    private final InetSocketAddress server;
    private final @Nullable Supplier<SSLEngine> engines;
    private final LongSupplier nanoTime;
    private final ArrayDeque<ByteBuffer> frames = new ArrayDeque<>();
    private int queuedBytes;
    private @Nullable SyslogConnection connection;
    private long delayNanos;
    private long nextConnect;

    /** @param nanoTime the monotonic clock */
    public TcpSyslogTarget(InetSocketAddress server, LongSupplier nanoTime) {
        this(server, /* engines= */ null, nanoTime);
    }

    /**
     * Sends messages over TLS.
     *
     * @param engines creates the engine of each connection, a client that verifies the server
     * @param nanoTime the monotonic clock
     */
    public TcpSyslogTarget(InetSocketAddress server, @Nullable Supplier<SSLEngine> engines, LongSupplier nanoTime) {
        this.server = server;
        this.engines = engines;
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
        SyslogConnection current = connection;
        if (current == null) {
            if (nanoTime.getAsLong() - nextConnect < 0) {
                return false;
            }
            current = open();
            connection = current;
        }
        return current.finishConnect();
    }

    private SyslogConnection open() throws IOException {
        PlainSyslogConnection tcp = PlainSyslogConnection.open(server);
        return engines == null ? tcp : new TlsSyslogConnection(tcp, engines.get(), nanoTime);
    }

    private void writeFrames() throws IOException {
        SyslogConnection current = connection;
        while (current != null && !frames.isEmpty()) {
            current.detectEnd();
            if (!current.write(frames.stream().limit(FRAMES_PER_WRITE).toArray(ByteBuffer[]::new))) {
                return;
            }
            delayNanos = 0;
            while (!frames.isEmpty() && !frames.getFirst().hasRemaining()) {
                queuedBytes -= frames.removeFirst().limit();
            }
        }
    }

    private void disconnect(IOException cause) {
        fail(cause);
        closeConnection();
        delayNanos = delayNanos == 0 ? FIRST_DELAY_NANOS : Math.min(2 * delayNanos, LONGEST_DELAY_NANOS);
        nextConnect = nanoTime.getAsLong() + delayNanos;
        ByteBuffer first = frames.peekFirst();
        if (first != null && first.position() > 0) { // a new connection must begin with a whole frame
            frames.removeFirst();
            queuedBytes -= first.limit();
            lose(1, cause);
        }
    }

    private void closeConnection() {
        SyslogConnection current = connection;
        connection = null;
        if (current != null) {
            current.close();
        }
    }

    @Override
    String address() {
        return server.getAddress().getHostAddress() + ":" + server.getPort();
    }

    /**
     * Sends the queued messages, for at most one second. Then waits up to 200 ms for the server to close its side, and
     * closes the connection.
     */
    @Override
    public void close() {
        long start = System.nanoTime();
        flush();
        while (isSending() && System.nanoTime() - start < CLOSE_NANOS) {
            LockSupport.parkNanos(CLOSE_POLL_NANOS);
            flush();
        }
        linger();
        closeConnection();
        frames.clear();
        queuedBytes = 0;
    }

    private void linger() {
        SyslogConnection current = connection;
        try {
            if (current == null || !current.finishConnect()) {
                return;
            }
            current.endOutput();
        } catch (IOException e) {
            return; // the connection is broken
        }
        long start = System.nanoTime();
        while (!current.isClosedByServer() && System.nanoTime() - start < LINGER_NANOS) {
            LockSupport.parkNanos(CLOSE_POLL_NANOS);
        }
    }

    private boolean isSending() {
        SyslogConnection current = connection;
        try {
            return current != null && (!frames.isEmpty() || !current.isFlushed());
        } catch (IOException e) {
            disconnect(e);
            return false;
        }
    }
}
