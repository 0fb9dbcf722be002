package io.ballast.dns.querylog.dnstap;

import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends frames to a reader on a Unix socket: READY, ACCEPT, START, frames, STOP, FINISH. Frames are lost while there is
 * no reader, or when more than {@value #MAX_PENDING_BYTES} bytes wait for a slow reader. After a lost connection, this
 * class reconnects after a second; this delay doubles with each attempt, up to half a minute.
 */
public final class DnstapSocket implements DnstapOutput {

    static final int MAX_PENDING_BYTES = 1024 * 1024;

    private static final long MIN_RECONNECT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long MAX_RECONNECT_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long HANDSHAKE_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long CLOSE_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final UnixDomainSocketAddress address;
    private final LongSupplier nanoTime;
    private final ByteBuffer readBuffer = ByteBuffer.allocateDirect(ControlFrame.MAX_BYTES);
    private final ByteBuffer pending = ByteBuffer.allocateDirect(MAX_PENDING_BYTES);
    private @Nullable SocketChannel channel;
    private boolean accepted;
    private long connectedNanos;
    private long reconnectDelayNanos = MIN_RECONNECT_NANOS;
    private long nextConnectNanos;
    /** For each frame that is not completely sent, the offset of its end in the stream of this connection. */
    private final Queue<Long> frameEnds = new ArrayDeque<>();

    private long offered;
    private long sent;
    private long lost;

    /** @param nanoTime the nanosecond clock that schedules reconnects */
    public DnstapSocket(Path path, LongSupplier nanoTime) {
        this.address = UnixDomainSocketAddress.of(path);
        this.nanoTime = nanoTime;
        this.nextConnectNanos = nanoTime.getAsLong();
    }

    @Override
    public boolean offer(byte[] frame, int length) {
        if (!accepted || pending.remaining() < length) {
            return false;
        }
        pending.put(frame, 0, length);
        offered += length;
        frameEnds.add(offered);
        return true;
    }

    @Override
    public boolean isFull() {
        return pending.position() > MAX_PENDING_BYTES / 2;
    }

    @Override
    public void flush(long nowNanos) throws IOException {
        try {
            SocketChannel open = channel;
            if (open == null) {
                if (nowNanos - nextConnectNanos < 0) {
                    return;
                }
                open = connect(nowNanos);
            }
            receive(open);
            if (!accepted) {
                awaitAcceptance(nowNanos);
            }
            send(open);
        } catch (IOException e) {
            disconnect(nowNanos);
            throw e;
        }
    }

    private SocketChannel connect(long nowNanos) throws IOException {
        SocketChannel opened = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel = opened;
        connectedNanos = nowNanos;
        opened.configureBlocking(false);
        if (!opened.connect(address)) {
            throw new SocketTimeoutException("the reader does not accept connections at the moment");
        }
        put(ControlFrame.READY);
        return opened;
    }

    private void receive(SocketChannel open) throws IOException {
        if (open.read(readBuffer) < 0) {
            throw new EOFException("the reader has closed the connection");
        }
    }

    private void awaitAcceptance(long nowNanos) throws IOException {
        int length = ControlFrame.ACCEPT.lengthIn(readBuffer);
        if (length < 0) {
            throw new ProtocolException("the reader does not accept protobuf:dnstap.Dnstap");
        }
        if (length > 0) {
            readBuffer.flip().position(length);
            readBuffer.compact();
            accepted = true;
            reconnectDelayNanos = MIN_RECONNECT_NANOS;
            put(ControlFrame.START);
        } else if (nowNanos - connectedNanos >= HANDSHAKE_TIMEOUT_NANOS) {
            throw new SocketTimeoutException("the reader does not respond");
        }
    }

    private void send(SocketChannel open) throws IOException {
        pending.flip();
        try {
            sent += open.write(pending);
        } finally {
            pending.compact();
        }
        for (Long end = frameEnds.peek(); end != null && end <= sent; end = frameEnds.peek()) {
            frameEnds.remove();
        }
    }

    private void put(ControlFrame frame) {
        byte[] bytes = frame.bytes();
        pending.put(bytes);
        offered += bytes.length;
    }

    private void disconnect(long nowNanos) {
        lost += frameEnds.size();
        frameEnds.clear();
        offered = 0;
        sent = 0;
        accepted = false;
        readBuffer.clear();
        pending.clear();
        nextConnectNanos = nowNanos + reconnectDelayNanos;
        reconnectDelayNanos = Math.min(2 * reconnectDelayNanos, MAX_RECONNECT_NANOS);
        SocketChannel open = channel;
        channel = null;
        try {
            if (open != null) {
                open.close();
            }
        } catch (IOException e) {
            // A failure is irrelevant, because the connection is discarded.
        }
    }

    @Override
    public long lost() {
        return lost;
    }

    @Override
    public void close() throws IOException {
        SocketChannel open = channel;
        if (open == null) {
            return;
        }
        try (open) {
            if (accepted) {
                finishStream(open, nanoTime.getAsLong() + CLOSE_TIMEOUT_NANOS);
            }
        } finally {
            disconnect(nanoTime.getAsLong());
        }
    }

    /** Sends the remaining frames and STOP, and waits for FINISH. */
    private void finishStream(SocketChannel open, long deadlineNanos) throws IOException {
        ByteBuffer stop = ByteBuffer.wrap(ControlFrame.STOP.bytes());
        while (nanoTime.getAsLong() - deadlineNanos < 0) {
            send(open);
            if (pending.position() == 0 && stop.hasRemaining()) {
                open.write(stop);
            }
            boolean isFinished = open.read(readBuffer) < 0 || ControlFrame.FINISH.lengthIn(readBuffer) > 0;
            if (isFinished && !stop.hasRemaining()) {
                return;
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }
}
