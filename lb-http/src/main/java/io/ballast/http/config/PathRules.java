package io.ballast.http.config;

/**
 * The treatment of path characters that only some backends read as slashes, for routing. The path that a backend
 * receives is unchanged.
 *
 * @param encodedSlash for {@code %2F}
 * @param backslash for a backslash, as it is or as {@code %5C}
 */
public record PathRules(SlashRule encodedSlash, SlashRule backslash) {

    public static final PathRules DEFAULT = new PathRules(SlashRule.CHECK, SlashRule.CHECK);
}
