package io.ballast.http.serving;

import io.ballast.http.header.HeaderEdits;
import io.ballast.http.octets.OctetBuffer;
import io.ballast.http.route.destination.Reasons;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a request that no backend answers: JSON, HTML or plain text as the client accepts, with a request id and
 * nothing about the inside. It closes the connection unless the request was sound. Rules for response headers hold for it
 * too. Not for the hot path: it allocates.
 *
 * @param idHeader name of the header that shows the id
 * @param id to find the request again
 * @param edits which of our lines are left out
 * @param lines what the rules add
 */
record ErrorResponse(String idHeader, String id, HeaderEdits edits, OctetBuffer lines) {

    private static final int END_OF_HEAD = 0x0d0a0d0a;
    private static final int END_OF_LINE = 0x0d0a;
    private static final String RETRY_AFTER_SECONDS = "1";

    private enum Format {
        PLAIN("text/plain; charset=utf-8"),
        HTML("text/html; charset=utf-8"),
        JSON("application/json");

        final String contentType;

        Format(String contentType) {
            this.contentType = contentType;
        }
    }

    /**
     * Returns a whole response, which the caller owns.
     *
     * @param detail what was wrong with the request, in our words; null to say no more than the status does
     * @param accept the request's {@code Accept}, or null
     */
    ByteBuf compose(
            int status,
            @Nullable String detail,
            @Nullable String accept,
            byte[] date,
            boolean close,
            boolean headRequest,
            ByteBufAllocator allocator) {
        Format format = format(accept);
        String reason = Reasons.of(status);
        byte[] body = body(format, status, reason, detail).getBytes(StandardCharsets.UTF_8);
        StringBuilder head = new StringBuilder(256)
                .append("HTTP/1.1 ")
                .append(status)
                .append(' ')
                .append(reason)
                .append("\r\nContent-Length: ")
                .append(body.length)
                .append("\r\n");
        line(head, "Content-Type", format.contentType);
        line(head, idHeader, id);
        line(head, "Cache-Control", "no-store");
        if (status == 503) {
            line(head, "Retry-After", RETRY_AFTER_SECONDS);
        }
        if (close) {
            head.append("Connection: close\r\n");
        }
        head.append("Date: ");
        byte[] headBytes = head.toString().getBytes(StandardCharsets.US_ASCII);
        ByteBuf target = allocator.directBuffer(headBytes.length + date.length + lines.length() + 4 + body.length);
        target.writeBytes(headBytes).writeBytes(date).writeShort(END_OF_LINE);
        target.writeBytes(lines.bytes(), 0, lines.length()).writeShort(END_OF_LINE);
        if (!headRequest) {
            target.writeBytes(body);
        }
        return target;
    }

    /** How many octets the head of an answer has. */
    static int headBytes(ByteBuf response) {
        int at = response.readerIndex();
        while (response.getInt(at) != END_OF_HEAD) {
            at++;
        }
        return at + Integer.BYTES - response.readerIndex();
    }

    private void line(StringBuilder head, String name, String value) {
        if (!edits.cuts(name)) {
            head.append(name).append(": ").append(value).append("\r\n");
        }
    }

    private static Format format(@Nullable String accept) {
        if (accept == null) {
            return Format.PLAIN;
        }
        String lower = accept.toLowerCase(Locale.ROOT);
        if (lower.contains("json")) {
            return Format.JSON;
        }
        return lower.contains("text/html") ? Format.HTML : Format.PLAIN;
    }

    private String body(Format format, int status, String reason, @Nullable String detail) {
        String said = detail == null ? "" : detail;
        return switch (format) {
            case PLAIN -> status + " " + reason + (detail == null ? "" : ": " + said) + "\nrequest " + id + "\n";
            case HTML ->
                "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + status + " " + reason
                        + "</title></head><body><h1>" + status + " " + reason + "</h1><p>" + said + "</p><p>Request "
                        + id
                        + "</p></body></html>\n";
            case JSON ->
                "{\"status\":" + status + ",\"error\":\"" + reason + "\",\"message\":\"" + said + "\",\"request_id\":\""
                        + id + "\"}\n";
        };
    }
}
