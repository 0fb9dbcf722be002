package io.ballast.dns.forward.filter.rule;

import io.ballast.core.net.IpAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * A rule that is matched against the text of names: an expression, or a pattern.
 *
 * @param matcher the compiled text of the rule
 * @param addresses the addresses in the answer
 */
public record ExpressionRule(FilterRule rule, NameMatcher matcher, List<IpAddress> addresses) {

    private static final NameMatcher MATCH_ALL = name -> true;

    /** Creates a rule without addresses; they are added later. */
    static ExpressionRule of(FilterRule rule) {
        return new ExpressionRule(rule, matcher(rule), new ArrayList<>());
    }

    private static NameMatcher matcher(FilterRule rule) {
        if (rule.subject() != FilterRule.Subject.PATTERN) {
            return NameExpression.compile(rule.text());
        }
        return rule.text().equals(NamePattern.MATCH_ALL) ? MATCH_ALL : NamePattern.parse(rule.text());
    }

    /** Returns an immutable copy. */
    ExpressionRule toImmutable() {
        return new ExpressionRule(rule, matcher, List.copyOf(addresses));
    }
}
