package io.ballast.http.config;

/**
 * How routing handles path characters that only some backends read as slashes. The path that a backend
 * receives is unchanged.
 *
 * @param encodedSlash the rule for {@code %2F}
 * @param backslash the rule for a backslash, either literal or encoded as {@code %5C}
 */
public record PathRules(SlashRule encodedSlash, SlashRule backslash) {

    public static final PathRules DEFAULT = new PathRules(SlashRule.CHECK, SlashRule.CHECK);
}
