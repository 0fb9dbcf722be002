package io.ballast.dns.forward.filter.rule;

/**
 * A rule for a whole top-level domain, or for almost every name or address. The rule takes effect, and it is
 * also reported as unusually broad.
 *
 * @param line the line in the list, from 1
 * @param rule the text of the rule
 * @param coverage the names or addresses that it covers
 */
public record BroadRule(int line, String rule, String coverage) {

    @Override
    public String toString() {
        return "line " + line + ": " + rule + " applies to " + coverage;
    }
}
