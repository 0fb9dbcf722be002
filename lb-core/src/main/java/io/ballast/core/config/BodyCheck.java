package io.ballast.core.config;

import java.util.Optional;

/**
 * The expected body of a response to a health check.
 *
 * @param contains a text that the body contains, compared byte by byte in UTF-8
 * @param matches a regular expression in RE2 syntax that a part of the body matches
 */
public record BodyCheck(Optional<String> contains, Optional<String> matches) {

    /** Accepts any body. */
    public static final BodyCheck ANY = new BodyCheck(Optional.empty(), Optional.empty());

    /** The number of bytes of a body that are examined; the rest is not read. */
    public static final int MAX_BYTES = 16 * 1024;

    /** Returns whether the body must be examined. */
    public boolean isNeeded() {
        return contains.isPresent() || matches.isPresent();
    }
}
