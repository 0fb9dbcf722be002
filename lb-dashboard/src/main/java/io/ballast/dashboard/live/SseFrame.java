package io.ballast.dashboard.live;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/**
 * Puts a message into the frame of <a href="https://html.spec.whatwg.org/multipage/server-sent-events.html">server-sent
 * events</a>.
 */
final class SseFrame {

    private SseFrame() {}

    /** Consumes {@code json}, which has no line breaks. A negative id is left out. */
    static ByteBuf of(String event, long id, ByteBuf json) {
        String head = (id < 0 ? "" : "id: " + id + "\n") + "event: " + event + "\ndata: ";
        return Unpooled.wrappedBuffer(bytes(head), json, bytes("\n\n"));
    }

    /** A line that browsers ignore and that keeps the connection in use. */
    static ByteBuf heartbeat() {
        return bytes(": heartbeat\n\n");
    }

    private static ByteBuf bytes(String text) {
        return Unpooled.wrappedBuffer(text.getBytes(StandardCharsets.UTF_8));
    }
}
