package io.ballast.http.testing;

import org.jspecify.annotations.Nullable;

/** A response, unmodified. */
public record RawResponse(String head, String rawBody, String body) {

    public int status() {
        return Integer.parseInt(head.substring(9, 12));
    }

    /** Returns the value of the first header with this name, or null. */
    public @Nullable String header(String name) {
        return Http1Reader.header(head, name);
    }

    /** Returns head and body without the balancer's {@code Date}, which differs in each run. */
    public String undated() {
        return undated(raw());
    }

    /** Returns the response without its first {@code Date} in the balancer's format. */
    public static String undated(String raw) {
        return raw.replaceFirst("\r\nDate: [^\r]* GMT\r\n", "\r\n");
    }

    /** Returns head and body unchanged. */
    public String raw() {
        return head + rawBody;
    }
}
