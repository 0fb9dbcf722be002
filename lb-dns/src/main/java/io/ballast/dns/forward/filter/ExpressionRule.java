package io.ballast.dns.forward.filter;

/**
 * A rule that is looked for in names as text: an expression, or a pattern.
 *
 * @param matcher made of the rule's text
 */
record ExpressionRule(FilterRule rule, NameMatcher matcher) {

    static ExpressionRule of(FilterRule rule) {
        boolean isPattern = rule.subject() == FilterRule.Subject.PATTERN;
        return new ExpressionRule(
                rule, isPattern ? NamePattern.parse(rule.text()) : NameExpression.compile(rule.text()));
    }
}
