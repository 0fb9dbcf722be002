package io.ballast.dns.forward.filter.rule;

import java.util.HashMap;
import java.util.Map;

/**
 * Counts the patterns and expressions of one or several lists, and limits their number, which limits the
 * cost of a query. A rule with {@code $client} or {@code $dnstype} counts as a pattern.
 *
 * <p>Cost: one hash table entry for each name that patterns end with. Confined to one thread.
 */
public final class RuleLimits {

    /** The maximum number of patterns and expressions in all lists together. */
    public static final int MAX_PATTERNS = 100_000;

    /**
     * The maximum number of patterns and expressions that do not end with a name, because each is tried for every
     * query.
     */
    public static final int MAX_WITHOUT_SUFFIX = 1_000;

    /**
     * The maximum number of patterns that end with the same name, because each is tried for every query below
     * that name.
     */
    public static final int MAX_PER_SUFFIX = 1_000;

    private final Map<String, Integer> countsBySuffix = new HashMap<>();
    private int patternCount;

    /**
     * Counts one rule.
     *
     * @throws FilterLimitException if the rule exceeds a limit
     */
    public void add(ExpressionRule rule) throws FilterLimitException {
        FilterLimitException.check(++patternCount, MAX_PATTERNS, "wildcard patterns and regular expressions");
        String suffix = rule.matcher().suffix();
        int count = countsBySuffix.merge(suffix, 1, Integer::sum);
        if (suffix.isEmpty()) {
            FilterLimitException.check(
                    count, MAX_WITHOUT_SUFFIX, "regular expressions and patterns that do not end with a name");
        } else {
            FilterLimitException.check(count, MAX_PER_SUFFIX, "patterns that end with " + suffix);
        }
    }
}
