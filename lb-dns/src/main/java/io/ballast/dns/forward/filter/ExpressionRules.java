package io.ballast.dns.forward.filter;

import io.ballast.core.net.IpAddress;
import io.ballast.dns.forward.filter.rule.ExpressionRule;
import io.ballast.dns.forward.filter.rule.FilterRule;
import io.ballast.dns.forward.filter.rule.NameMatcher;
import io.ballast.dns.forward.filter.rule.RuleCondition;
import io.ballast.dns.forward.filter.rule.RuleContext;
import io.ballast.dns.forward.filter.rule.RuleName;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.QueryName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The expressions and patterns of all lists. Patterns that end with a name are indexed by that name; all
 * other rules are matched one after the other. Immutable.
 */
final class ExpressionRules {

    private static final int[] NO_RULES = {};

    private final NameMatcher[] matchers;
    private final FilterRule[] rules;
    private final RuleCondition[] conditions;
    private final List<List<IpAddress>> addresses;
    /** The alias targets of rules, in wire format; empty for rules that create no alias. */
    private final byte[][] targets;

    private final long[] verdicts;
    /** The rules that are matched for every name. */
    private final int[] unindexedRules;
    /** The name suffixes of the patterns. {@link #rulesBySuffix} contains the rules for each suffix. */
    private final NamePositions suffixes;

    private final int[][] rulesBySuffix;

    private ExpressionRules(NameHash hash, List<ExpressionRule> all, List<FilterList> ruleLists) {
        matchers = all.stream().map(ExpressionRule::matcher).toArray(NameMatcher[]::new);
        rules = all.stream().map(ExpressionRule::rule).toArray(FilterRule[]::new);
        conditions = Arrays.stream(rules).map(FilterRule::condition).toArray(RuleCondition[]::new);
        addresses = all.stream().map(ExpressionRule::addresses).toList();
        targets = Arrays.stream(rules).map(ExpressionRules::target).toArray(byte[][]::new);
        verdicts = new long[rules.length];
        Map<String, List<Integer>> indexed = new LinkedHashMap<>();
        for (int i = 0; i < rules.length; i++) {
            int flags = rules[i].flags();
            boolean isAllowed = ruleLists.get(i).kind() == ListKind.ALLOW;
            verdicts[i] = FilterVerdict.of(
                    FilterVerdict.BY_EXPRESSION,
                    isAllowed ? FilterRule.setAllowed(flags) : flags,
                    ruleLists.get(i).id(),
                    i);
            indexed.computeIfAbsent(matchers[i].suffix(), unknown -> new ArrayList<>())
                    .add(i);
        }
        unindexedRules = toIntArray(indexed.getOrDefault("", List.of()));
        indexed.remove("");
        suffixes = new NamePositions(hash, List.copyOf(indexed.keySet()));
        rulesBySuffix =
                indexed.values().stream().map(ExpressionRules::toIntArray).toArray(int[][]::new);
    }

    private static byte[] target(FilterRule rule) {
        return rule.target().isEmpty() ? new byte[0] : RuleName.toWireFormat(rule.target());
    }

    private static int[] toIntArray(List<Integer> list) {
        return list.stream().mapToInt(Integer::intValue).toArray();
    }

    static ExpressionRules of(NameHash hash, FilterList[] lists) {
        List<ExpressionRule> all = new ArrayList<>();
        List<FilterList> ruleLists = new ArrayList<>();
        for (FilterList list : lists) {
            for (ExpressionRule rule : list.rules().expressions()) {
                all.add(rule);
                ruleLists.add(list);
            }
        }
        return new ExpressionRules(hash, all, ruleLists);
    }

    boolean isEmpty() {
        return matchers.length == 0;
    }

    FilterRule rule(int index) {
        return rules[index];
    }

    List<IpAddress> addresses(int index) {
        return addresses.get(index);
    }

    byte[] target(int index) {
        return targets[index];
    }

    /**
     * Returns the verdict on a hashed name. Matches only rules that rank higher than the best verdict so far and
     * whose conditions hold.
     *
     * @param currentVerdict the verdict so far, which is kept unless a rule ranks higher
     */
    long evaluate(QueryName name, long lists, @Nullable RuleContext query, long currentVerdict) {
        long best = currentVerdict;
        String text = null;
        for (int suffix = 0; suffix <= name.labels(); suffix++) {
            for (int rule : rules(name, suffix)) {
                if (isCandidate(rule, lists, query, best)) {
                    text = text == null ? text(name) : text;
                    best = matchers[rule].matches(text) ? verdicts[rule] : best;
                }
            }
        }
        return best;
    }

    /**
     * Returns the rules that are indexed by one suffix, followed by the rules that are matched for every name.
     */
    private int[] rules(QueryName name, int suffix) {
        if (suffix == name.labels()) {
            return unindexedRules;
        }
        int position = rulesBySuffix.length == 0 ? NamePositions.NONE : suffixes.find(name, suffix);
        return position == NamePositions.NONE ? NO_RULES : rulesBySuffix[position];
    }

    private boolean isCandidate(int i, long lists, @Nullable RuleContext query, long best) {
        long verdict = verdicts[i];
        return FilterVerdict.rank(verdict) > FilterVerdict.rank(best)
                && (lists >>> FilterVerdict.list(verdict) & 1) != 0
                && conditions[i].matches(query);
    }

    private static String text(QueryName name) {
        byte[] wire = new byte[name.length()];
        name.copy(wire.length, wire);
        return RuleName.toText(wire, 0, wire.length);
    }
}
