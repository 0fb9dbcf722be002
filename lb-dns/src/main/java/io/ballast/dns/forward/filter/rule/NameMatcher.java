package io.ballast.dns.forward.filter.rule;

/** Says whether a name, in lower case and without its last dot, is what a rule is about. Immutable. */
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
