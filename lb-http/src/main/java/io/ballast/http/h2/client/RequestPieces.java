package io.ballast.http.h2.client;

import static java.util.Objects.requireNonNull;

import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.BodyRelay;
import io.ballast.http.h1.wire.ChunkSize;
import io.ballast.http.head.Octets;
import io.ballast.http.octets.OctetBuffer;
import io.ballast.http.serving.SentBody;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A request's body on its way to the backend. What the backend does not take is held, which the window of the stream
 * bounds: the client may send more only when what it sent was passed on. Event-loop confined.
 */
final class RequestPieces {

    /** A body of that size goes out in one piece with the head. */
    private static final int JOINED_BYTES = 4096;

    private static final int LEAST_PIECE_BYTES = 1024;
    /** The line with the size, the line end behind the data, and the last chunk without trailers. */
    private static final int CHUNK_OVERHEAD = ChunkSize.MOST_BYTES + 2 + 5;

    private static final byte[] CRLF = Octets.ascii("\r\n");
    private static final byte[] LAST_CHUNK = Octets.ascii("0\r\n");

    private final ByteBufAllocator allocator;
    private final BodyRelay bodies;
    private final SentBody sent;
    private final ArrayDeque<ByteBuf> held = new ArrayDeque<>();
    private final OctetBuffer trailers = new OctetBuffer();

    private int heldBytes;
    private boolean chunked;
    /** Whether the backends get the body in chunks. */
    private boolean inChunks;

    private boolean open;
    private boolean ended;

    RequestPieces(ByteBufAllocator allocator, BodyRelay bodies, SentBody sent) {
        this.allocator = allocator;
        this.bodies = bodies;
        this.sent = sent;
    }

    /**
     * A request begins.
     *
     * @param hasUnknownLength whether its end is not known in advance
     * @param hasBody whether anything follows the head
     */
    void begin(boolean hasUnknownLength, boolean hasBody) {
        chunked = hasUnknownLength;
        inChunks = false;
        open = hasBody;
        ended = !hasBody;
        trailers.clear();
    }

    /** Whether some of it has not been passed on. */
    boolean isOpen() {
        return open;
    }

    /** Whether all of it has come. */
    boolean hasEnded() {
        return ended;
    }

    /** Whether it has ended without an octet or a trailer, before any of it was passed on. */
    boolean hasNone() {
        return open && ended && held.isEmpty() && trailers.length() == 0;
    }

    int heldBytes() {
        return heldBytes;
    }

    /** Whether there is more to come, and a backend that takes it. */
    boolean isAwaited() {
        return open && !ended && bodies.isBackendWritable();
    }

    /** More came: {@code source[at, at + length)}, which is borrowed. */
    void receive(ByteBuf source, int at, int length) {
        if (length == 0) {
            return;
        }
        ByteBuf last = held.peekLast();
        if (last == null || last.writableBytes() < length) {
            last = allocator.directBuffer(Math.max(LEAST_PIECE_BYTES, length));
            held.add(last);
        }
        last.writeBytes(source, at, length);
        heldBytes += length;
    }

    /** All of it has come. */
    void end(@Nullable OctetBuffer lines) {
        ended = true;
        if (lines != null) {
            trailers.copy(lines);
        }
    }

    /** How much room to leave behind the head for {@link #begin(ByteBuf, BackendSide, int)}. */
    int joinableBytes() {
        return open && heldBytes <= JOINED_BYTES ? heldBytes + CHUNK_OVERHEAD + trailers.length() : 0;
    }

    /**
     * Sends the head, and of the body what is there or was sent to another backend before; consumes {@code head}.
     *
     * @return how many octets of the body went from here for the first time
     */
    int begin(ByteBuf head, BackendSide backend, int keepBytes) {
        if (!open) {
            backend.sendHead(head, head.readableBytes(), inChunks);
            sent.sendAgain(backend);
            end();
            return 0;
        }
        int headBytes = head.readableBytes();
        if (sent.hasBegun()) {
            backend.sendHead(head, headBytes, inChunks);
            sent.sendAgain(backend);
            return pass();
        }
        sent.keepUpTo(keepBytes);
        inChunks = chunked && !backend.framesBodies();
        chunked = inChunks;
        int joined = 0;
        if (held.size() == 1 && heldBytes <= JOINED_BYTES) {
            joined = heldBytes;
            ByteBuf piece = requireNonNull(held.poll());
            heldBytes = 0;
            int start = head.writerIndex();
            code(piece, head);
            sent.add(head, start, head.writerIndex() - start);
        }
        backend.sendHead(head, headBytes, inChunks);
        return joined + pass();
    }

    /** Passes on what is held, as far as the backend takes it; returns how many octets that are. */
    int pass() {
        int passed = 0;
        while (open && !held.isEmpty() && bodies.isBackendWritable()) {
            ByteBuf piece = requireNonNull(held.poll());
            int length = piece.readableBytes();
            heldBytes -= length;
            passed += length;
            send(piece);
        }
        if (open && ended && held.isEmpty() && bodies.isBackendWritable()) { // there may be no backend yet
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
        sent.add(out, out.readerIndex(), out.readableBytes());
        bodies.requestBody(out);
    }

    /** Appends a piece as the backend is to get it; consumes it. */
    private void code(ByteBuf piece, ByteBuf target) {
        int length = piece.readableBytes();
        if (chunked) {
            ChunkSize.write(length, target);
        }
        target.writeBytes(piece.internalNioBuffer(piece.readerIndex(), length));
        piece.release();
        if (chunked) {
            target.writeBytes(CRLF);
            if (ended && held.isEmpty()) {
                lastChunk(target);
            }
        }
    }

    private void lastChunk(ByteBuf target) {
        target.writeBytes(LAST_CHUNK)
                .writeBytes(trailers.bytes(), 0, trailers.length())
                .writeBytes(CRLF);
        chunked = false; // said
    }

    private void finish() {
        open = false;
        if (chunked) {
            ByteBuf last = allocator.directBuffer(LAST_CHUNK.length + trailers.length() + CRLF.length);
            lastChunk(last);
            sent.add(last, last.readerIndex(), last.readableBytes());
            bodies.requestBody(last);
        }
        end();
    }

    private void end() {
        if (!inChunks && trailers.length() > 0) {
            bodies.requestTrailers(Arrays.copyOf(trailers.bytes(), trailers.length()));
        }
        bodies.requestEnd();
    }

    /** Nothing more is passed on; lets go of what is held. */
    void stop() {
        open = false;
        ByteBuf piece = held.poll();
        while (piece != null) {
            piece.release();
            piece = held.poll();
        }
        heldBytes = 0;
        trailers.release();
    }
}
