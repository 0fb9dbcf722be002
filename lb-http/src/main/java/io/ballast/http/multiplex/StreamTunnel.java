package io.ballast.http.multiplex;

import static java.util.Objects.requireNonNull;

import io.ballast.http.exchange.Tunnel;
import io.ballast.http.exchange.TunnelSide;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The client side of a tunnel over one stream (RFC 8441). DATA frames carry the data in both directions, and
 * END_STREAM ends a direction. Data that arrives before the tunnel starts, or while the backend is slow, is
 * buffered. The stream window limits the buffered data. Event-loop confined.
 */
final class StreamTunnel implements TunnelSide {

    private static final int MIN_PIECE_BYTES = 1024;

    private final ClientStream stream;
    private final FloodGuard guard;
    private final ResponseStream output;
    private final ByteBufAllocator allocator;
    private final ArrayDeque<ByteBuf> heldPieces = new ArrayDeque<>();
    private @Nullable Tunnel tunnel;
    private int bufferedBytes;
    private boolean reading;

    StreamTunnel(ClientStream stream, FloodGuard guard, ResponseStream output, ByteBufAllocator allocator) {
        this.stream = stream;
        this.guard = guard;
        this.output = output;
        this.allocator = allocator;
    }

    /** Receives {@code source[at, at + length)}, valid only during the call; a length of 0 ends the stream. */
    void received(ByteBuf source, int at, int length) {
        if (length > 0) {
            hold(source, at, length);
        }
        forwardHeld();
    }

    private void hold(ByteBuf source, int at, int length) {
        ByteBuf last = heldPieces.peekLast();
        if (last == null || last.writableBytes() < length) {
            last = allocator.directBuffer(reading ? length : Math.max(MIN_PIECE_BYTES, length));
            heldPieces.add(last);
        }
        last.writeBytes(source, at, length);
        bufferedBytes += length;
    }

    private void forwardHeld() {
        Tunnel started = tunnel;
        if (started == null) {
            return;
        }
        while (reading && !heldPieces.isEmpty()) {
            ByteBuf piece = requireNonNull(heldPieces.poll());
            bufferedBytes -= piece.readableBytes();
            guard.creditBodyBytes(piece.readableBytes());
            stream.body().credit(piece.readableBytes());
            started.received(this, piece);
        }
        started.readComplete(this);
        if (tunnel != null && heldPieces.isEmpty() && stream.body().hasEnded()) {
            started.ended(this);
        }
    }

    @Override
    public void tunnelBegins(Tunnel started) {
        tunnel = started;
        reading = true;
        stream.flush();
        forwardHeld();
    }

    @Override
    public void tunnelData(ByteBuf data) {
        guard.creditBodyBytes(data.readableBytes());
        output.add(data);
    }

    @Override
    public void tunnelFlush() {
        stream.flush();
    }

    @Override
    public void tunnelEnd() {
        output.end();
        stream.flush();
    }

    @Override
    public boolean isWritable() {
        return output.isWritable();
    }

    @Override
    public void setReading(boolean on) {
        reading = on;
        if (on) {
            forwardHeld();
        }
    }

    int bufferedBytes() {
        return bufferedBytes;
    }

    /** Stops forwarding; returns the number of bytes released. */
    int release() {
        tunnel = null;
        reading = false;
        int dropped = bufferedBytes;
        bufferedBytes = 0;
        ByteBuf piece = heldPieces.poll();
        while (piece != null) {
            piece.release();
            piece = heldPieces.poll();
        }
        return dropped;
    }
}
