package io.ballast.http.multiplex;

import static java.util.Objects.requireNonNull;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.h1.wire.ChunkSize;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.serving.RetryBuffer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Forwards the body of a request to the backend. Buffers the data that the backend cannot accept yet. The
 * stream window limits this data, because the client gets credit only for forwarded data. Event-loop
 * confined.
 */
final class RequestBodyForwarder {

    /** Maximum size of a body that is sent in the same buffer as the head. */
    private static final int JOINED_BYTES = 4096;

    private static final int MIN_PIECE_BYTES = 1024;
    /**
     * Maximum size of a chunk size line, the CRLF after the data, and the last chunk without trailers, in
     * bytes.
     */
    private static final int CHUNK_OVERHEAD = ChunkSize.MAX_BYTES + 2 + 5;

    private static final byte[] CRLF = ByteClasses.ascii("\r\n");
    private static final byte[] LAST_CHUNK = ByteClasses.ascii("0\r\n");

    private final ByteBufAllocator allocator;
    private final Exchange exchange;
    private final RetryBuffer retryBuffer;
    private final ArrayDeque<ByteBuf> heldPieces = new ArrayDeque<>();
    private final ByteAppender trailers = new ByteAppender();

    private int bufferedBytes;
    private boolean chunked;
    /** Whether the body is sent to backends with chunked coding. */
    private boolean chunkedToBackend;

    private boolean open;
    private boolean ended;

    RequestBodyForwarder(ByteBufAllocator allocator, Exchange exchange, RetryBuffer sent) {
        this.allocator = allocator;
        this.exchange = exchange;
        this.retryBuffer = sent;
    }

    /** Starts a request. */
    void begin(boolean hasUnknownLength, boolean hasBody) {
        chunked = hasUnknownLength;
        chunkedToBackend = false;
        open = hasBody;
        ended = !hasBody;
        trailers.clear();
    }

    /** Whether part of the body has not been forwarded yet. */
    boolean isOpen() {
        return open;
    }

    /** Whether the whole body has been received from the client. */
    boolean hasEnded() {
        return ended;
    }

    /** Whether the body has ended without data and trailers, and nothing was forwarded. */
    boolean isBodiless() {
        return open && ended && heldPieces.isEmpty() && trailers.length() == 0;
    }

    int bufferedBytes() {
        return bufferedBytes;
    }

    /** Whether more of the body is expected from the client, and the backend can accept it. */
    boolean isMoreExpected() {
        return open && !ended && exchange.isBackendWritable();
    }

    /** Receives {@code source[at, at + length)}, valid only during the call. */
    void receive(ByteBuf source, int at, int length) {
        if (length == 0) {
            return;
        }
        ByteBuf last = heldPieces.peekLast();
        if (last == null || last.writableBytes() < length) {
            last = allocator.directBuffer(Math.max(MIN_PIECE_BYTES, length));
            heldPieces.add(last);
        }
        last.writeBytes(source, at, length);
        bufferedBytes += length;
    }

    /** Returns a copy of the held bytes, at most the first {@code max}. */
    byte[] copyHeld(int max) {
        byte[] copy = new byte[Math.min(max, bufferedBytes)];
        int at = 0;
        for (ByteBuf piece : heldPieces) {
            int length = Math.min(piece.readableBytes(), copy.length - at);
            piece.getBytes(piece.readerIndex(), copy, at, length);
            at += length;
        }
        return copy;
    }

    /** Called when the body is complete; {@code lines} are its trailers. */
    void end(@Nullable ByteAppender lines) {
        ended = true;
        if (lines != null) {
            trailers.copyFrom(lines);
        }
    }

    /**
     * Returns the number of bytes to reserve after the request head for the body data that
     * {@link #begin(ByteBuf, BackendSide, int)} appends.
     */
    int joinableBytes() {
        return open && bufferedBytes <= JOINED_BYTES ? bufferedBytes + CHUNK_OVERHEAD + trailers.length() : 0;
    }

    /**
     * Sends the head, then the body received so far. This includes data that was already sent to a previous
     * backend. Takes ownership of {@code head}.
     */
    int begin(ByteBuf head, BackendSide backend, int keepBytes) {
        if (!open) {
            backend.sendHead(head, head.readableBytes(), chunkedToBackend);
            retryBuffer.sendAgain(backend);
            end();
            return 0;
        }
        int headBytes = head.readableBytes();
        if (retryBuffer.hasStarted()) {
            backend.sendHead(head, headBytes, chunkedToBackend);
            retryBuffer.sendAgain(backend);
            return forwardHeld();
        }
        retryBuffer.setMaxBytes(keepBytes);
        chunkedToBackend = chunked && !backend.framesBodies();
        chunked = chunkedToBackend;
        int joined = 0;
        if (heldPieces.size() == 1 && bufferedBytes <= JOINED_BYTES) {
            joined = bufferedBytes;
            ByteBuf piece = requireNonNull(heldPieces.poll());
            bufferedBytes = 0;
            int start = head.writerIndex();
            code(piece, head);
            retryBuffer.add(head, start, head.writerIndex() - start);
        }
        backend.sendHead(head, headBytes, chunkedToBackend);
        return joined + forwardHeld();
    }

    /** Forwards held data while the backend is writable; returns the number of forwarded bytes. */
    int forwardHeld() {
        int passed = 0;
        while (open && !heldPieces.isEmpty() && exchange.isBackendWritable()) {
            ByteBuf piece = requireNonNull(heldPieces.poll());
            int length = piece.readableBytes();
            bufferedBytes -= length;
            passed += length;
            send(piece);
        }
        if (open && ended && heldPieces.isEmpty() && exchange.isBackendWritable()) { // false while there is no backend
            finish();
        }
        return passed;
    }

    private void send(ByteBuf piece) {
        ByteBuf out = piece;
        if (chunked) {
            out = allocator.directBuffer(piece.readableBytes() + CHUNK_OVERHEAD + trailers.length());
            code(piece, out);
        }
        retryBuffer.add(out, out.readerIndex(), out.readableBytes());
        backend().send(out);
    }

    /**
     * Appends a piece of the body to {@code target}, with the framing that the backend needs; releases the
     * piece.
     */
    private void code(ByteBuf piece, ByteBuf target) {
        int length = piece.readableBytes();
        if (chunked) {
            ChunkSize.write(length, target);
        }
        target.writeBytes(piece.internalNioBuffer(piece.readerIndex(), length));
        piece.release();
        if (chunked) {
            target.writeBytes(CRLF);
            if (ended && heldPieces.isEmpty()) {
                lastChunk(target);
            }
        }
    }

    private void lastChunk(ByteBuf target) {
        target.writeBytes(LAST_CHUNK)
                .writeBytes(trailers.bytes(), 0, trailers.length())
                .writeBytes(CRLF);
        chunked = false; // the last chunk has been written
    }

    private void finish() {
        open = false;
        if (chunked) {
            ByteBuf last = allocator.directBuffer(LAST_CHUNK.length + trailers.length() + CRLF.length);
            lastChunk(last);
            retryBuffer.add(last, last.readerIndex(), last.readableBytes());
            backend().send(last);
        }
        end();
    }

    private void end() {
        if (!chunkedToBackend && trailers.length() > 0) {
            backend().sendTrailers(Arrays.copyOf(trailers.bytes(), trailers.length()));
        }
        backend().endRequest();
    }

    private BackendSide backend() {
        return requireNonNull(exchange.connection());
    }

    /** Stops forwarding and releases buffered data. */
    void stop() {
        open = false;
        ByteBuf piece = heldPieces.poll();
        while (piece != null) {
            piece.release();
            piece = heldPieces.poll();
        }
        bufferedBytes = 0;
        trailers.release();
    }
}
