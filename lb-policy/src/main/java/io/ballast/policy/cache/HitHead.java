package io.ballast.policy.cache;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.head.HttpTime;
import io.ballast.policy.cache.rule.ByteRange;
import io.ballast.policy.cache.rule.HeaderLines;
import io.ballast.policy.cache.rule.Preconditions;
import io.ballast.policy.cache.rule.ResponseMetadata;
import io.ballast.policy.cache.store.StoredHead;
import io.ballast.policy.cache.store.StoredResponse;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The head of a response from the store for one client, and the part of the body that follows it.
 *
 * @param lines the status line and the header lines; valid until the next hit of the event loop
 * @param from the first byte of the body to send
 * @param to the position after the last byte
 */
record HitHead(ByteAppender lines, long from, long to) {

    private static final int OK = 200;
    private static final int NO_CONTENT = 204;
    private static final int PARTIAL_CONTENT = 206;
    private static final int NOT_MODIFIED = 304;
    private static final int RANGE_NOT_SATISFIABLE = 416;
    private static final String CONTENT = "content-";
    private static final String CONTENT_LOCATION = "content-location";

    /**
     * Composes a head.
     *
     * @param now the time of the monotonic clock in nanoseconds
     * @param nowMillis the wall-clock time in milliseconds since 1970
     * @param statusLine a {@code Cache-Status} line with its line end; empty for none
     * @param lines receives the head; its previous content is removed
     */
    static HitHead of(
            StoredResponse response,
            ClientConditions client,
            long now,
            long nowMillis,
            String statusLine,
            ByteAppender lines) {
        StoredHead head = response.head();
        long length = response.body().length();
        int status = head.metadata().status();
        ByteRange range = null;
        if (status == OK && isNotModified(head.metadata(), client, nowMillis)) {
            status = NOT_MODIFIED;
        } else if (status == OK) {
            range = range(head.metadata(), client, length);
            status = range == null ? OK : range.isUnsatisfiable() ? RANGE_NOT_SATISFIABLE : PARTIAL_CONTENT;
        }
        lines.clear();
        appendStart(status, lines);
        appendLines(head, status, lines);
        lines.appendAscii("Age: ");
        lines.appendDecimal(head.validity().age(head.residentNanos(now)));
        lines.appendAscii("\r\n");
        lines.appendAscii(statusLine);
        long from = range == null ? 0 : range.from();
        long to = range == null ? length : range.to();
        if (status == RANGE_NOT_SATISFIABLE || status == NOT_MODIFIED) {
            from = 0;
            to = 0;
        }
        if (range != null) {
            appendContentRange(range, length, lines);
        }
        if (status != NOT_MODIFIED && status != NO_CONTENT) {
            lines.appendAscii("Content-Length: ");
            lines.appendDecimal(to - from);
            lines.appendAscii("\r\n");
        }
        return new HitHead(lines, from, client.isHead() ? from : to);
    }

    private static boolean isNotModified(ResponseMetadata response, ClientConditions client, long nowMillis) {
        long modified = response.lastModifiedMillis();
        return Preconditions.isNotModified(
                client.ifNoneMatch(),
                client.ifModifiedSince(),
                response.tag(),
                modified == HttpTime.INVALID ? response.dateMillis() : modified,
                nowMillis);
    }

    private static @Nullable ByteRange range(ResponseMetadata response, ClientConditions client, long length) {
        String range = client.range();
        if (range == null || client.isHead()) {
            return null;
        }
        String ifRange = client.ifRange();
        boolean allowed = ifRange == null
                || Preconditions.allowsRange(ifRange, response.tag(), response.lastModified(), response.dateMillis());
        return allowed ? ByteRange.parse(range, length) : null;
    }

    private static void appendStart(int status, ByteAppender lines) {
        lines.appendAscii("HTTP/1.1 ");
        lines.appendDecimal(status);
        lines.append((byte) ' ');
        lines.appendAscii(reason(status));
        lines.appendAscii("\r\n");
    }

    /** Returns the usual reason phrase. It is empty for rare statuses, as RFC 9112 section 4 allows. */
    private static String reason(int status) {
        return switch (status) {
            case OK -> "OK";
            case NO_CONTENT -> "No Content";
            case PARTIAL_CONTENT -> "Partial Content";
            case 301 -> "Moved Permanently";
            case 302 -> "Found";
            case NOT_MODIFIED -> "Not Modified";
            case 307 -> "Temporary Redirect";
            case 308 -> "Permanent Redirect";
            case 403 -> "Forbidden";
            case 404 -> "Not Found";
            case 410 -> "Gone";
            case RANGE_NOT_SATISFIABLE -> "Range Not Satisfiable";
            case 500 -> "Internal Server Error";
            case 503 -> "Service Unavailable";
            default -> "";
        };
    }

    /** Appends the stored lines. Omits lines that describe the body if neither the body nor a part of it follows. */
    private static void appendLines(StoredHead head, int status, ByteAppender lines) {
        if (status != NOT_MODIFIED && status != RANGE_NOT_SATISFIABLE) {
            lines.append(head.text());
            return;
        }
        for (HeaderLines.Line line : head.lines().lines()) {
            String name = line.name().toLowerCase(Locale.ROOT);
            if (!name.startsWith(CONTENT) || CONTENT_LOCATION.equals(name)) {
                HeadText.append(line, lines);
            }
        }
    }

    private static void appendContentRange(ByteRange range, long length, ByteAppender lines) {
        lines.appendAscii("Content-Range: bytes ");
        if (range.isUnsatisfiable()) {
            lines.append((byte) '*');
        } else {
            lines.appendDecimal(range.from());
            lines.append((byte) '-');
            lines.appendDecimal(range.to() - 1);
        }
        lines.append((byte) '/');
        lines.appendDecimal(length);
        lines.appendAscii("\r\n");
    }
}
