package io.ballast.policy.cache;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.head.HeaderName;
import io.ballast.http.head.HttpTime;
import io.ballast.http.head.ResponseScanner;
import io.ballast.policy.cache.rule.HeaderLines;
import io.ballast.policy.cache.rule.HeaderLines.Line;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Converts the header lines of responses between bytes and text. */
final class HeadText {

    /** Header lines that are not stored, because they are created for each client or must not be shared. */
    private static final Set<String> NOT_STORED =
            Set.of("age", "content-length", "set-cookie", "proxy-authentication-info", "transfer-encoding", "trailer");

    /** Lines that describe the stored body, so that a 304 must not replace them (RFC 9111 section 3.2). */
    private static final Set<String> OF_BODY =
            Set.of("content-encoding", "content-type", "content-range", "content-length", "vary");

    private static final int MAX_TAGS = 64;

    private HeadText() {}

    /** Reads all header lines of a response, without the lines that apply only to this connection. */
    static HeaderLines read(ResponseScanner head) {
        List<Line> lines = new ArrayList<>(head.count);
        for (int line = 0; line < head.count; line++) {
            HeaderName name = head.names[line];
            boolean hopByHop = name != null && name.kind == HeaderName.Kind.HOP_BY_HOP;
            boolean protectedLine = name != null && name.kind == HeaderName.Kind.PROTECTED;
            if (!hopByHop && (protectedLine || !head.hasConnectionOptions || !head.isConnectionOption(line))) {
                lines.add(new Line(
                        text(head.bytes, head.lineStart[line], head.nameEnd[line]),
                        text(head.bytes, head.valueStart[line], head.valueEnd[line])));
            }
        }
        return new HeaderLines(lines);
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    /**
     * Returns the lines that may be stored, with a {@code Date} (RFC 9110 section 6.6.1).
     *
     * @param dateMillis when the response was created
     */
    static HeaderLines storable(HeaderLines received, long dateMillis) {
        List<Line> lines = new ArrayList<>(storable(received));
        if (!received.has("date")) {
            lines.add(new Line("Date", HttpTime.format(dateMillis)));
        }
        return new HeaderLines(lines);
    }

    private static List<Line> storable(HeaderLines received) {
        return received.lines().stream()
                .filter(line -> !NOT_STORED.contains(line.name().toLowerCase(Locale.ROOT)))
                .toList();
    }

    /** Returns the stored lines, updated with the lines of a 304 (RFC 9111 section 3.2). */
    static HeaderLines updated(HeaderLines stored, HeaderLines notModified) {
        List<Line> updates = storable(notModified).stream()
                .filter(line -> !OF_BODY.contains(line.name().toLowerCase(Locale.ROOT)))
                .toList();
        List<Line> lines = new ArrayList<>(stored.lines());
        lines.removeIf(line -> updates.stream().anyMatch(update -> update.is(line.name())));
        lines.addAll(updates);
        return new HeaderLines(lines);
    }

    /** Returns lines as bytes, each with its line end. */
    static byte[] bytes(HeaderLines lines) {
        ByteAppender text = new ByteAppender();
        lines.lines().forEach(line -> append(line, text));
        return Arrays.copyOf(text.bytes(), text.length());
    }

    static void append(Line line, ByteAppender target) {
        target.appendAscii(line.name());
        target.appendAscii(": ");
        target.appendAscii(line.value());
        target.appendAscii("\r\n");
    }

    /**
     * Returns the tags of a response: the words of {@code Cache-Tag} and {@code Surrogate-Key}. Further tags after the
     * first {@value #MAX_TAGS} are ignored.
     */
    static List<String> tags(HeaderLines lines) {
        List<String> tags = new ArrayList<>();
        for (Line line : lines.lines()) {
            if (line.is("cache-tag") || line.is("surrogate-key")) {
                for (String tag : line.value().split("[ ,\t]+")) {
                    if (!tag.isEmpty() && tags.size() < MAX_TAGS) {
                        tags.add(tag);
                    }
                }
            }
        }
        return tags;
    }
}
