package io.ballast.dashboard.stream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/**
 * Encodes a message as a <a href="https://html.spec.whatwg.org/multipage/server-sent-events.html">server-sent
 * event</a>.
 */
final class SseFrame {

    private SseFrame() {}

    /** Encodes {@code json}, which must not contain line breaks, and releases it. A negative id is omitted. */
    static ByteBuf of(String event, long id, ByteBuf json) {
        String head = (id < 0 ? "" : "id: " + id + "\n") + "event: " + event + "\ndata: ";
        return Unpooled.wrappedBuffer(bytes(head), json, bytes("\n\n"));
    }

    /** Returns a comment line, which browsers ignore. It keeps the connection alive. */
    static ByteBuf heartbeat() {
        return bytes(": heartbeat\n\n");
    }

    private static ByteBuf bytes(String text) {
        return Unpooled.wrappedBuffer(text.getBytes(StandardCharsets.UTF_8));
    }
}
