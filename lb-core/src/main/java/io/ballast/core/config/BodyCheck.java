package io.ballast.core.config;

import java.util.Optional;

/**
 * What a health check expects of a response's body.
 *
 * @param contains a text that stands in it, compared octet by octet in UTF-8
 * @param matches a regular expression in RE2's syntax that some part of it matches
 */
public record BodyCheck(Optional<String> contains, Optional<String> matches) {

    /** Anything, even none. */
    public static final BodyCheck ANY = new BodyCheck(Optional.empty(), Optional.empty());

    /** How many octets of a body are looked at; the rest is not waited for. */
    public static final int MOST_BYTES = 16 * 1024;

    /** Whether there is anything to look at. */
    public boolean isNeeded() {
        return contains.isPresent() || matches.isPresent();
    }
}
