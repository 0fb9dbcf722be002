package io.ballast.policy.cache;

import io.ballast.policy.cache.rule.ResponseMetadata;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Composes the heads of conditional requests (RFC 9111 section 4.3.1). */
final class RevalidationHead {

    private static final String LINE_END = "\r\n";

    private RevalidationHead() {}

    /**
     * Replaces the conditions of a client with those for a stored response.
     *
     * @param head the head as a backend would get it, with the empty line at its end
     */
    static byte[] compose(byte[] head, ResponseMetadata stored) {
        String text = new String(head, StandardCharsets.ISO_8859_1);
        StringBuilder result = new StringBuilder(text.length());
        for (String line : text.split(LINE_END)) {
            int colon = line.indexOf(':');
            String name = colon < 0 ? "" : line.substring(0, colon).strip().toLowerCase(Locale.ROOT);
            boolean isRequestLine = result.length() == 0;
            if (isRequestLine || !(ClientConditions.NAMES.contains(name) || "expect".equals(name))) {
                result.append(line).append(LINE_END);
            }
        }
        if (!stored.tag().isEmpty()) {
            result.append("If-None-Match: ").append(stored.tag()).append(LINE_END);
        }
        if (!stored.lastModified().isEmpty()) {
            result.append("If-Modified-Since: ").append(stored.lastModified()).append(LINE_END);
        }
        return result.append(LINE_END).toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}
