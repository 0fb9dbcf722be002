package io.ballast.dns.forward.filter;

/** A compiled expression with its rule. Immutable. */
record ExpressionRule(FilterRule rule, NameExpression expression) {

    static ExpressionRule of(FilterRule rule) {
        return new ExpressionRule(rule, NameExpression.compile(rule.text()));
    }
}
