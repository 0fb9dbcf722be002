package io.ballast.policy.cache.rule;

import java.util.List;

/** Compares entity tags (RFC 9110 section 8.8.3). */
public final class EntityTag {

    private static final String WEAK = "W/";

    private EntityTag() {}

    public static boolean isWeak(String tag) {
        return tag.startsWith(WEAK);
    }

    /** Whether two tags are equal in the weak comparison. */
    static boolean weaklyEqual(String first, String second) {
        return opaque(first).equals(opaque(second));
    }

    private static String opaque(String tag) {
        return isWeak(tag) ? tag.substring(WEAK.length()) : tag;
    }

    /** Whether the lines of {@code If-None-Match} list a tag, or any tag. */
    static boolean isListed(List<String> lines, String tag) {
        for (String line : lines) {
            if ("*".equals(line)) {
                return true;
            }
            for (String element : ListElements.of(line)) {
                if (!tag.isEmpty() && weaklyEqual(element, tag)) {
                    return true;
                }
            }
        }
        return false;
    }
}
