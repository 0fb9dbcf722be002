package io.ballast.http.local;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;

/** Takes the response of a {@link ResponseSource} for the client of one request. Event-loop confined. */
public interface ResponseSink {

    /**
     * Sends the head, which consists of a status line and header lines in HTTP/1.1 format. They are in {@code lines[0,
     * length)}, each with its line end, but without the empty line after them. The array is copied, so the caller may
     * reuse it.
     *
     * <p>A {@code Content-Length} announces the length of the body; without it, the length is unknown, and chunked
     * coding is added if the client's protocol needs it. The lines must not contain {@code Transfer-Encoding} or {@code
     * Connection}. A missing {@code Date} is added. An invalid head fails the response.
     */
    void head(byte[] lines, int length);

    /**
     * Sends the head like {@link #head}, and the first part of the body, {@code body[from, from + bytes)}. Both are
     * copied into one buffer: for a part of a few KiB, this is cheaper than separate calls.
     */
    default void headWithBody(byte[] lines, int length, byte[] body, int from, int bytes) {
        head(lines, length);
        body(Unpooled.wrappedBuffer(body, from, bytes));
    }

    /**
     * Sends a part of the body; consumes {@code data}. The data is ignored if the status or the request's method does
     * not allow a body. Data that exceeds the {@code Content-Length} fails the response.
     *
     * <p>May be called while {@link #isWritable} is false, but the data is then held in memory.
     */
    void body(ByteBuf data);

    /** Ends the response. A body that is shorter than its {@code Content-Length} fails the response. */
    void end();

    /**
     * Fails the response. If no head was sent, the client gets status 500. Otherwise, the response is cut off, so that
     * the client detects the incomplete body.
     *
     * @param reason the reason for the access log
     */
    void fail(String reason);

    /**
     * Whether the client accepts more data now. If not, {@link ResponseSource#resume} is called later, when the client
     * accepts more data.
     */
    boolean isWritable();

    /** The event loop of the request. */
    EventLoop eventLoop();

    /** The allocator for parts of the body. */
    ByteBufAllocator allocator();
}
