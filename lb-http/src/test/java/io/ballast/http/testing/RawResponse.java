package io.ballast.http.testing;

import org.jspecify.annotations.Nullable;

/**
 * A response as it came.
 *
 * @param head status line and headers with the empty line
 * @param rawBody the body as it came, chunks and trailers included
 * @param body the body's data
 */
public record RawResponse(String head, String rawBody, String body) {

    public int status() {
        return Integer.parseInt(head.substring(9, 12));
    }

    /** The value of the first header of that name, or null. */
    public @Nullable String header(String name) {
        return Wire.header(head, name);
    }

    /** Head and body, octet for octet, but for a date of the balancer's, which is another one in every run. */
    public String undated() {
        return undated(raw());
    }

    /** What came, without the first date that is one of the balancer's. */
    public static String undated(String raw) {
        return raw.replaceFirst("\r\nDate: [^\r]* GMT\r\n", "\r\n");
    }

    /** Head and body, octet for octet. */
    public String raw() {
        return head + rawBody;
    }
}
