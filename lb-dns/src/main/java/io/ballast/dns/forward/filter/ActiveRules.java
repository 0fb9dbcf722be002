package io.ballast.dns.forward.filter;

import io.ballast.dns.forward.filter.rule.RuleContext;
import io.ballast.dns.wire.QueryName;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * All active rules: first the rules of operators, then the rules of lists.
 *
 * <p>Thread safety: immutable.
 *
 * @param ruleSetId id of this rule set, which identifies the rules that filtered an answer
 */
public record ActiveRules(FilterTable table, OperatorRules operator, int ruleSetId) {

    private static final String REBINDING = "rebind";
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    static ActiveRules of(FilterTable table, OperatorRules operator) {
        return new ActiveRules(table, operator, NUMBERS.incrementAndGet());
    }

    /**
     * Returns the verdict on a hashed name.
     *
     * @param lists the lists that apply, one bit each
     * @param query the query against which the conditions of rules are checked
     * @return a {@link FilterVerdict}
     */
    public long evaluate(QueryName name, long lists, RuleContext query) {
        long verdict = operator.evaluate(name);
        return verdict == FilterVerdict.NONE ? table.evaluate(name, lists, query) : verdict;
    }

    /** Returns the name of the list that caused a verdict; "rebind" for an answer with an internal address. */
    public String listName(long verdict) {
        if (FilterVerdict.isRebinding(verdict)) {
            return REBINDING;
        }
        return FilterVerdict.isByOperator(verdict) ? OperatorRules.LIST_NAME : table.listName(verdict);
    }

    /** Returns the rule that caused a verdict, which must not be {@link FilterVerdict#NONE}. */
    public RuleOrigin origin(long verdict) {
        return FilterVerdict.isByOperator(verdict) ? operator.origin(verdict) : table.origin(verdict);
    }
}
