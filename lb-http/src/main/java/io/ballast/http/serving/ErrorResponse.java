package io.ballast.http.serving;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.header.CompiledHeaderChanges;
import io.ballast.http.route.destination.ReasonPhrases;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An error response of the balancer: JSON, HTML or plain text according to {@code Accept}, with a request
 * id and no internal details. Closes the connection unless the request was well-formed. Response header
 * rules apply. Not for the hot path: it allocates.
 *
 * @param idHeader the name of the request id header
 * @param id the request id
 * @param edits the rules that may remove header lines that we generate
 * @param lines the header lines added by rules
 */
record ErrorResponse(String idHeader, String id, CompiledHeaderChanges edits, ByteAppender lines) {

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
     * Returns a complete response, owned by the caller.
     *
     * @param detail the fault of the request; null to use only the status text
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
        String reason = ReasonPhrases.of(status);
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
        if (status == 503 && !linesContainRetryAfter()) {
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

    /** Whether a policy or a header rule has set the time after which the client may come back. */
    private boolean linesContainRetryAfter() {
        return new String(lines.bytes(), 0, lines.length(), StandardCharsets.ISO_8859_1)
                .toLowerCase(Locale.ROOT)
                .contains("retry-after:");
    }

    /** The length of a response's head in bytes. */
    static int headBytes(ByteBuf response) {
        int at = response.readerIndex();
        while (response.getInt(at) != END_OF_HEAD) {
            at++;
        }
        return at + Integer.BYTES - response.readerIndex();
    }

    private void line(StringBuilder head, String name, String value) {
        if (!edits.removes(name)) {
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
