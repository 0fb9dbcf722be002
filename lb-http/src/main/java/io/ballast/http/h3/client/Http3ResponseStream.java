package io.ballast.http.h3.client;

import static java.util.Objects.requireNonNull;

import io.ballast.http.h1.wire.ChunkReader;
import io.ballast.http.h2.wire.HeaderLinesEncoder;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.FieldOutput;
import io.ballast.http.multiplex.ResponseStream;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http3.DefaultHttp3DataFrame;
import io.netty.handler.codec.http3.DefaultHttp3HeadersFrame;
import io.netty.handler.codec.http3.DefaultHttp3UnknownFrame;
import io.netty.handler.codec.quic.QuicStreamChannel;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Sends the responses of a stream object as frames of HTTP/3. Writes only as much as the flow control of QUIC accepts,
 * and queues the rest. Event-loop confined.
 */
final class Http3ResponseStream implements ResponseStream {

    /** Maximum size of a DATA frame. */
    private static final int MAX_FRAME_BYTES = 16 * 1024;
    /**
     * Minimum size of a DATA frame if more data waits. QUIC may accept only a part of it, and then reports when it
     * accepts more.
     */
    private static final int MIN_FRAME_BYTES = 1024;
    /** Maximum size of the type and length of a frame. */
    private static final int FRAME_HEADER_BYTES = 8;
    /** The queue limit of a stream is the connection's buffer limit divided by this number. */
    private static final int STREAMS_PART = 4;
    /** A type that every client ignores (RFC 9114 section 7.2.8). */
    private static final long IGNORED_TYPE = 0x1f + 0x21;

    private final Http3Connection connection;
    private final Http3Fields fields;
    private final ArrayDeque<ByteBuf> queue = new ArrayDeque<>();
    /** The reader that removes the chunked coding; null if the body is not chunked. */
    private @Nullable ChunkReader chunks;
    /** Reused reader for chunked bodies; null until the first chunked body. */
    private @Nullable ChunkReader reader;

    private @Nullable Http3StreamHandler handler;
    private byte @Nullable [] trailers;
    private int queuedBytes;
    private int unfinishedWrites;
    private long sentBytes;
    private long remainingBytes;
    private boolean ended;
    private boolean trailersWritten;
    private boolean endSent;
    /** Whether a write has failed, so that the client gets no more data. */
    private boolean failed;
    /** Whether the connection counts this stream as waiting. */
    private boolean isCounted;

    Http3ResponseStream(Http3Connection connection) {
        this.connection = connection;
        this.fields = connection.http3().fields;
    }

    /** Sets the stream on which the next response is sent. */
    void attach(Http3StreamHandler stream) {
        handler = stream;
    }

    private Http3StreamHandler handler() {
        return requireNonNull(handler);
    }

    private QuicStreamChannel channel() {
        return handler().channel();
    }

    @Override
    public void begin(long stream) {
        chunks = null;
        trailers = null;
        queuedBytes = 0;
        unfinishedWrites = 0;
        sentBytes = 0;
        remainingBytes = Long.MAX_VALUE;
        ended = false;
        trailersWritten = false;
        endSent = false;
        failed = false;
    }

    @Override
    public FieldOutput fields() {
        return fields;
    }

    @Override
    public void head(BodyFraming framing, long length) {
        boolean last = framing == BodyFraming.NONE || (framing == BodyFraming.LENGTH && length == 0);
        chunks = framing == BodyFraming.CHUNKED ? reader() : null;
        remainingBytes = framing == BodyFraming.LENGTH ? length : Long.MAX_VALUE;
        ended |= last;
        writeFields();
        if (last) {
            finish();
        }
    }

    @Override
    public void sendInformational() {
        writeFields();
    }

    private void writeFields() {
        int bytes = fields.bytes();
        sentBytes += bytes;
        write(new DefaultHttp3HeadersFrame(fields.headers()), bytes, /* bodyBytes= */ 0);
    }

    private ChunkReader reader() {
        ChunkReader own = reader;
        if (own == null) {
            own = new ChunkReader(this::push);
            reader = own;
        }
        own.reset();
        return own;
    }

    @Override
    public void add(ByteBuf data) {
        if (chunks == null) {
            push(data);
            return;
        }
        chunks.read(data);
        data.release();
    }

    private void push(ByteBuf piece) {
        if (!piece.isReadable() || endSent || failed) {
            piece.release();
            return;
        }
        remainingBytes -= piece.readableBytes();
        ended |= remainingBytes == 0;
        queue.add(piece);
        countQueued(piece.readableBytes());
        send();
    }

    @Override
    public void trailers(byte[] lines) {
        trailers = lines;
    }

    @Override
    public void end() {
        ended = true;
        send();
    }

    @Override
    public boolean pump() {
        send();
        return true;
    }

    private void send() {
        while (!queue.isEmpty() && !endSent && !failed && channel().isWritable()) {
            ByteBuf piece = requireNonNull(queue.peek());
            int length = Math.min(piece.readableBytes(), frameBytes());
            if (length == piece.readableBytes()) {
                queue.poll();
                // A slice, because Netty's codec sends the content from index 0, whatever its reader index is.
                write(new DefaultHttp3DataFrame(piece.slice()), FRAME_HEADER_BYTES + length, length);
            } else {
                ByteBuf part = piece.readRetainedSlice(length);
                write(new DefaultHttp3DataFrame(part), FRAME_HEADER_BYTES + length, length);
            }
        }
        finish();
    }

    /** The number of bytes of data that QUIC accepts now, within the limits of a frame. */
    private int frameBytes() {
        long accepted = channel().bytesBeforeUnwritable() - FRAME_HEADER_BYTES;
        return (int) Math.max(MIN_FRAME_BYTES, Math.min(MAX_FRAME_BYTES, accepted));
    }

    private void finish() {
        if (!ended || endSent || failed || !queue.isEmpty() || unfinishedWrites > 0) {
            return;
        }
        byte[] lines = chunks == null ? trailers : chunks.trailers();
        if (lines != null && !trailersWritten) {
            trailersWritten = true;
            fields.clear();
            HeaderLinesEncoder.encode(lines, 0, lines.length, fields);
            writeFields();
            if (unfinishedWrites > 0) {
                return; // QUIC does not accept the trailers yet
            }
        }
        endSent = true;
        channel().shutdownOutput();
    }

    /** @param wireBytes an estimate of the size of the frame */
    private void write(Object frame, int wireBytes, int bodyBytes) {
        Http3StreamHandler stream = handler();
        ChannelFuture written = stream.channel().write(frame);
        connection.countSent(wireBytes);
        if (written.isSuccess()) {
            accepted(bodyBytes);
            return;
        }
        unfinishedWrites++;
        written.addListener(done -> {
            if (handler != stream || endSent) {
                return; // the stream has ended
            }
            unfinishedWrites--;
            if (done.isSuccess()) {
                accepted(bodyBytes);
                stream.writable();
            } else {
                failed = true;
                stream.clientCancelled();
            }
        });
    }

    private void accepted(int bodyBytes) {
        countQueued(-bodyBytes);
        sentBytes += bodyBytes;
        connection.bodySent(bodyBytes);
    }

    private void countQueued(int bytes) {
        queuedBytes += bytes;
        if (isCounted != queuedBytes > 0) {
            isCounted = !isCounted;
            connection.countWaiting(isCounted);
        }
    }

    /**
     * Sends a frame without meaning, to detect that the client has cancelled the request: QUIC reports this only to a
     * write. It also keeps the connection open while the client waits for a slow backend.
     */
    void checkPresence() {
        if (!endSent && !failed && unfinishedWrites == 0 && queue.isEmpty()) {
            write(
                    new DefaultHttp3UnknownFrame(IGNORED_TYPE, channel().alloc().directBuffer(1)),
                    /* wireBytes= */ 2,
                    /* bodyBytes= */ 0);
        }
    }

    @Override
    public boolean isEndSent() {
        return endSent;
    }

    @Override
    public boolean isWritable() {
        return queuedBytes < connection.loop().worker().transit().maxBufferedBytes() / STREAMS_PART;
    }

    @Override
    public boolean isWaiting() {
        return queuedBytes > 0;
    }

    /**
     * Whether this is the only stream of the connection that waits. If several wait, QUIC sends them in turn, and data of
     * each counts as progress of all.
     */
    @Override
    public boolean isBlockedByOwnWindow() {
        return connection.waitingStreams() <= 1;
    }

    @Override
    public int bufferedBytes() {
        return queuedBytes;
    }

    @Override
    public long sentBytes() {
        return sentBytes;
    }

    @Override
    public long connectionSentBytes() {
        return connection.bodyBytesSent();
    }

    @Override
    public void stop() {
        ByteBuf piece = queue.poll();
        while (piece != null) {
            piece.release();
            piece = queue.poll();
        }
        countQueued(-queuedBytes);
        trailers = null;
        endSent = true;
    }
}
