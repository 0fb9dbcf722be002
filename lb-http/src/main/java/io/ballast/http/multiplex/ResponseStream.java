package io.ballast.http.multiplex;

import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.FieldOutput;
import io.netty.buffer.ByteBuf;

/**
 * Sends the responses of one stream object, in sequence. Queues data that the client does not accept yet, and applies
 * back-pressure to its source. Event-loop confined.
 */
public interface ResponseStream {

    /** Starts a stream, which has no response yet. */
    void begin(long stream);

    /**
     * The fields of the next head. Streams of the same loop may share the object: the caller clears and fills it, and
     * sends the head at once.
     */
    FieldOutput fields();

    /**
     * Sends {@link #fields} as the final head.
     *
     * @param length the length of the body in bytes, if the framing has one
     */
    void head(BodyFraming framing, long length);

    /** Sends {@link #fields} as an informational head; another head follows. */
    void sendInformational();

    /** Sends or queues {@code data}; takes ownership. */
    void add(ByteBuf data);

    /** Sets the trailers of a body that is not chunked, as HTTP/1.1 lines. */
    void trailers(byte[] lines);

    /** Marks the body as complete. */
    void end();

    /** Sends queued data; false if the stream must wait for the connection. */
    boolean pump();

    /** Whether the end of the response has been sent. */
    boolean isEndSent();

    /** Whether more data can be added without back-pressure. */
    boolean isWritable();

    /** Whether data is queued. */
    boolean isWaiting();

    /**
     * Whether the client accepts no useful amount of data on this stream, so that only data of this stream counts as
     * progress. Otherwise the connection limits the stream, and data of all streams counts.
     */
    boolean isBlockedByOwnWindow();

    /** The number of queued bytes. */
    int bufferedBytes();

    /** The number of bytes that the stream has sent, heads and bodies. */
    long sentBytes();

    /** The number of body bytes that all streams of the connection have sent. Never decreases. */
    long connectionSentBytes();

    /** Releases queued data and stops sending. */
    void stop();
}
