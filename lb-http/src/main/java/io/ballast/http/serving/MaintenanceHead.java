package io.ballast.http.serving;

import io.ballast.core.config.MaintenancePage;
import io.ballast.http.header.CompiledHeaderChanges;
import io.ballast.http.route.destination.ReasonPhrases;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;

/** Composes the head of a pool's maintenance page, up to its {@code Date}. Not for the hot path: it allocates. */
final class MaintenanceHead {

    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;

    private MaintenanceHead() {}

    /** Whether the status of a page forbids a body. A client would read such a body as the next response. */
    static boolean isBodiless(MaintenancePage page) {
        return page.status() == NO_CONTENT || page.status() == NOT_MODIFIED;
    }

    /**
     * @param edits the rules that may remove header lines that we generate; lines that they add are not included
     * @return the head up to and including {@code "Date: "}, owned by the caller
     */
    static ByteBuf compose(MaintenancePage page, CompiledHeaderChanges edits, ByteBufAllocator allocator) {
        StringBuilder head = new StringBuilder(256)
                .append("HTTP/1.1 ")
                .append(page.status())
                .append(' ')
                .append(ReasonPhrases.of(page.status()))
                .append("\r\n");
        if (!isBodiless(page)) { // RFC 9110 section 8.6: without a body, no length is sent
            head.append("Content-Length: ").append(page.body().bytes().length).append("\r\n");
        }
        line(head, edits, "Content-Type", page.contentType());
        line(head, edits, "Cache-Control", "no-store");
        page.retryAfter().ifPresent(time -> line(head, edits, "Retry-After", String.valueOf(time.toSeconds())));
        byte[] bytes = head.append("Date: ").toString().getBytes(StandardCharsets.ISO_8859_1);
        return allocator.directBuffer(bytes.length + 64).writeBytes(bytes);
    }

    private static void line(StringBuilder head, CompiledHeaderChanges edits, String name, String value) {
        if (!edits.removes(name)) {
            head.append(name).append(": ").append(value).append("\r\n");
        }
    }
}
