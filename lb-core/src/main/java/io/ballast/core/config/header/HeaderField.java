package io.ballast.core.config.header;

import io.ballast.core.Checks;
import java.util.regex.Pattern;

/**
 * One header line that the balancer adds.
 *
 * @param name a token (RFC 9110 section 5.6.2) in the spelling that is sent
 * @param value the value
 */
public record HeaderField(String name, HeaderValue value) {

    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}");

    public HeaderField {
        checkName(name);
    }

    /** Returns the name if it is a valid header name, else throws {@link IllegalArgumentException}. */
    public static String checkName(String name) {
        Checks.that(TOKEN.matcher(name).matches(), "header", name, "a header's name such as X-Forwarded-User");
        return name;
    }
}
