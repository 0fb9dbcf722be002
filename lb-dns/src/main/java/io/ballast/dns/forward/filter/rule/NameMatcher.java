package io.ballast.dns.forward.filter.rule;

/** Returns whether a name, in lower case and without a final dot, matches a rule. Immutable. */
public interface NameMatcher {

    boolean matches(String name);

    /**
     * Returns a name that is equal to or above every matching name, which is the index key of the rule; "" if
     * there is none, so that the rule must be tried for every name.
     */
    default String suffix() {
        return "";
    }
}
