package io.ballast.dns.forward.filter;

import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.QueryName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The expressions and patterns of all lists. Those that end with a name are found by it; the others are tried one after the other.
 * Immutable.
 */
final class ExpressionRules {

    private final NameMatcher[] matchers;
    private final FilterRule[] rules;
    private final long[] verdicts;
    /** Those that are tried for every name. */
    private final int[] searched;
    /** The names that others end with, and these at the place of each. */
    private final NamePlaces suffixes;

    private final int[][] bySuffix;

    private ExpressionRules(NameHash hash, List<ExpressionRule> all, List<FilterList> of) {
        matchers = all.stream().map(ExpressionRule::matcher).toArray(NameMatcher[]::new);
        rules = all.stream().map(ExpressionRule::rule).toArray(FilterRule[]::new);
        verdicts = new long[rules.length];
        Map<String, List<Integer>> indexed = new LinkedHashMap<>();
        for (int i = 0; i < rules.length; i++) {
            int flags = rules[i].flags();
            boolean isAllowed = of.get(i).kind() == ListKind.ALLOW;
            verdicts[i] = FilterVerdict.of(
                    FilterVerdict.BY_EXPRESSION,
                    isAllowed ? FilterRule.allowed(flags) : flags,
                    of.get(i).id(),
                    i);
            indexed.computeIfAbsent(matchers[i].suffix(), unknown -> new ArrayList<>())
                    .add(i);
        }
        searched = numbers(indexed.getOrDefault("", List.of()));
        indexed.remove("");
        suffixes = new NamePlaces(hash, List.copyOf(indexed.keySet()));
        bySuffix = indexed.values().stream().map(ExpressionRules::numbers).toArray(int[][]::new);
    }

    private static int[] numbers(List<Integer> list) {
        return list.stream().mapToInt(Integer::intValue).toArray();
    }

    static ExpressionRules of(NameHash hash, FilterList[] lists) {
        List<ExpressionRule> all = new ArrayList<>();
        List<FilterList> of = new ArrayList<>();
        for (FilterList list : lists) {
            for (ExpressionRule rule : list.rules().expressions()) {
                all.add(rule);
                of.add(list);
            }
        }
        return new ExpressionRules(hash, all, of);
    }

    boolean isEmpty() {
        return matchers.length == 0;
    }

    FilterRule rule(int index) {
        return rules[index];
    }

    /**
     * The best of {@code before} and of the expressions that are found in a hashed name; only those that rank higher are tried.
     */
    long judge(QueryName name, long lists, long before) {
        long best = before;
        String text = null;
        for (int suffix = 0; bySuffix.length > 0 && suffix < name.labels(); suffix++) {
            int place = suffixes.find(name, suffix);
            if (place != NamePlaces.NONE) {
                text = text == null ? text(name) : text;
                best = judge(bySuffix[place], text, lists, best);
            }
        }
        if (searched.length > 0) {
            best = judge(searched, text == null ? text(name) : text, lists, best);
        }
        return best;
    }

    private long judge(int[] which, String text, long lists, long before) {
        long best = before;
        for (int i : which) {
            long verdict = verdicts[i];
            boolean counts = FilterVerdict.rank(verdict) > FilterVerdict.rank(best)
                    && (lists >>> FilterVerdict.list(verdict) & 1) != 0;
            if (counts && matchers[i].matches(text)) {
                best = verdict;
            }
        }
        return best;
    }

    private static String text(QueryName name) {
        byte[] wire = new byte[name.length()];
        name.copy(wire.length, wire);
        return RuleName.text(wire, 0, wire.length);
    }
}
