package io.ballast.policy.config;

import io.ballast.core.Checks;

/**
 * A user of HTTP Basic authentication.
 *
 * @param name the user name, 1 to 255 characters without colons and control characters
 */
public record BasicUser(String name, HashedPassword password) {

    /** The syntax of a name. */
    public static final String NAME = "[^:\\x00-\\x1f\\x7f]{1,255}";

    public BasicUser {
        Checks.that(
                name.matches(NAME) && name.strip().equals(name),
                "user",
                "'" + name + "'",
                "1 to 255 characters without ':', control characters and spaces around them");
    }
}
