package io.ballast.dns.forward.filter;

import io.ballast.dns.wire.QueryName;
import java.util.ArrayList;
import java.util.List;

/** The expressions of all lists, tried one after the other. Immutable. */
final class ExpressionRules {

    private final NameExpression[] expressions;
    private final FilterRule[] rules;
    private final long[] verdicts;

    private ExpressionRules(List<ExpressionRule> all, List<FilterList> of) {
        expressions = all.stream().map(ExpressionRule::expression).toArray(NameExpression[]::new);
        rules = all.stream().map(ExpressionRule::rule).toArray(FilterRule[]::new);
        verdicts = new long[rules.length];
        for (int i = 0; i < rules.length; i++) {
            int flags = rules[i].flags();
            boolean isAllowed = of.get(i).kind() == ListKind.ALLOW;
            verdicts[i] = FilterVerdict.of(
                    FilterVerdict.BY_EXPRESSION,
                    isAllowed ? FilterRule.allowed(flags) : flags,
                    of.get(i).id(),
                    i);
        }
    }

    static ExpressionRules of(FilterList[] lists) {
        List<ExpressionRule> all = new ArrayList<>();
        List<FilterList> of = new ArrayList<>();
        for (FilterList list : lists) {
            for (ExpressionRule rule : list.rules().expressions()) {
                all.add(rule);
                of.add(list);
            }
        }
        return new ExpressionRules(all, of);
    }

    boolean isEmpty() {
        return expressions.length == 0;
    }

    FilterRule rule(int index) {
        return rules[index];
    }

    /** The best of {@code before} and of the expressions that are found in a name; only those that rank higher are tried. */
    long judge(QueryName name, long lists, long before) {
        long best = before;
        String text = null;
        for (int i = 0; i < expressions.length; i++) {
            long verdict = verdicts[i];
            if (FilterVerdict.rank(verdict) <= FilterVerdict.rank(best)
                    || (lists >>> FilterVerdict.list(verdict) & 1) == 0) {
                continue;
            }
            text = text == null ? text(name) : text;
            if (expressions[i].isIn(text)) {
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
