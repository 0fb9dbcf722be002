package io.ballast.dns.forward.filter.rule;

/** Decides whether a name, in lower case and without a final dot, matches a rule. Immutable. */
public interface NameMatcher {

    boolean matches(String name);

    /**
     * Returns a name that is equal to, or a parent of, every matching name. The rule is indexed by this name. The
     * result is "" if there is no such name; the rule must then be tried for every name.
     */
    default String suffix() {
        return "";
    }
}
