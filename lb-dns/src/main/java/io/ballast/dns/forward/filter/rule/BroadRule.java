package io.ballast.dns.forward.filter.rule;

/**
 * A rule about a whole top level, or about almost every name or address. It counts as it is written; operators are told of it.
 *
 * @param line of the list, from 1
 * @param rule as a line
 * @param about what it is about
 */
public record BroadRule(int line, String rule, String about) {

    @Override
    public String toString() {
        return "line " + line + ": " + rule + " is about " + about;
    }
}
