package io.ballast.http.serving;

import io.ballast.http.policy.DirectResponse;
import io.ballast.http.route.destination.ReasonPhrases;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;

/** Composes the head of a policy's direct response, up to its {@code Date}. */
final class DirectResponseHead {

    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;

    private DirectResponseHead() {}

    /**
     * @param more the number of bytes that follow the head, for the size of the buffer
     * @return the head up to and including {@code "Date: "}, owned by the caller
     */
    static ByteBuf compose(DirectResponse response, ByteBufAllocator allocator, int more) {
        int status = response.status();
        StringBuilder head = new StringBuilder(256)
                .append("HTTP/1.1 ")
                .append(status)
                .append(' ')
                .append(ReasonPhrases.of(status))
                .append("\r\n");
        if (status != NO_CONTENT && status != NOT_MODIFIED) { // RFC 9110 section 8.6: no length for these statuses
            head.append("Content-Length: ").append(response.body().length).append("\r\n");
        }
        if (!response.contentType().isEmpty()) {
            head.append("Content-Type: ").append(response.contentType()).append("\r\n");
        }
        byte[] bytes = head.append("Date: ").toString().getBytes(StandardCharsets.ISO_8859_1);
        return allocator.directBuffer(bytes.length + 96 + more).writeBytes(bytes);
    }
}
