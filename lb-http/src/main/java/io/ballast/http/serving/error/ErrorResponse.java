package io.ballast.http.serving.error;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.header.CompiledHeaderChanges;
import io.ballast.http.route.destination.ReasonPhrases;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Composes the head of an error response of the balancer. Response header rules apply. Not for the hot path: it
 * allocates.
 *
 * @param idHeader the name of the request id header
 * @param id the request id
 * @param edits the rules that may remove header lines that we generate
 * @param lines the header lines added by rules
 */
public record ErrorResponse(String idHeader, String id, CompiledHeaderChanges edits, ByteAppender lines) {

    private static final int END_OF_LINE = 0x0d0a;
    private static final int UNAVAILABLE = 503;
    private static final String RETRY_AFTER_SECONDS = "1";

    /**
     * Returns the complete head, owned by the caller.
     *
     * @param close whether the connection closes after the response
     * @param room the number of bytes that the caller will append, for the size of the buffer
     */
    public ByteBuf head(ErrorContent content, byte[] date, boolean close, int room, ByteBufAllocator allocator) {
        StringBuilder head = new StringBuilder(256)
                .append("HTTP/1.1 ")
                .append(content.status())
                .append(' ')
                .append(ReasonPhrases.of(content.status()))
                .append("\r\nContent-Length: ")
                .append(content.body().length)
                .append("\r\n");
        line(head, "Content-Type", content.contentType());
        line(head, idHeader, id);
        line(head, "Cache-Control", "no-store");
        if (content.status() == UNAVAILABLE && !linesContainRetryAfter()) {
            line(head, "Retry-After", RETRY_AFTER_SECONDS);
        }
        if (close) {
            head.append("Connection: close\r\n");
        }
        head.append("Date: ");
        byte[] bytes = head.toString().getBytes(StandardCharsets.US_ASCII);
        ByteBuf target = allocator.directBuffer(bytes.length + date.length + lines.length() + 4 + room);
        target.writeBytes(bytes).writeBytes(date).writeShort(END_OF_LINE);
        return target.writeBytes(lines.bytes(), 0, lines.length()).writeShort(END_OF_LINE);
    }

    /** Whether a policy, a header rule or the backend has set {@code Retry-After}. */
    private boolean linesContainRetryAfter() {
        return new String(lines.bytes(), 0, lines.length(), StandardCharsets.ISO_8859_1)
                .toLowerCase(Locale.ROOT)
                .contains("retry-after:");
    }

    private void line(StringBuilder head, String name, String value) {
        if (!edits.removes(name)) {
            head.append(name).append(": ").append(value).append("\r\n");
        }
    }
}
