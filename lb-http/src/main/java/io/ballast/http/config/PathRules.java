package io.ballast.http.config;

/**
 * How routes read characters of a path that only some backends read as slashes. What a backend gets is never changed.
 *
 * @param encodedSlash for {@code %2F}
 * @param backslash for a backslash, as it is or as {@code %5C}
 */
public record PathRules(SlashRule encodedSlash, SlashRule backslash) {

    public static final PathRules DEFAULT = new PathRules(SlashRule.CHECK, SlashRule.CHECK);
}
