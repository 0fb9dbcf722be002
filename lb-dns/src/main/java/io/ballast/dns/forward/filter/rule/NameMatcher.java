package io.ballast.dns.forward.filter.rule;

/** Returns whether a name, in lower case and without a final dot, matches a rule. Immutable. */
public interface NameMatcher {

    boolean matches(String name);

    /**
     * A name that every name which matches is, or is below of, so that the rule can be found by it; "" if there is
     * none, and the rule has to be tried for every name.
     */
    default String suffix() {
        return "";
    }
}
