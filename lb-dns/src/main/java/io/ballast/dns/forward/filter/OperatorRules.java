package io.ballast.dns.forward.filter;

import io.ballast.core.Checks;
import io.ballast.dns.forward.filter.rule.FilterRule;
import io.ballast.dns.forward.filter.rule.RuleName;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.QueryName;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * Names that an operator has allowed or blocked, each with all names below it. These rules take precedence
 * over the rules of all lists; if two of them match a name, the rule with the longer name wins.
 *
 * <p>Thread safety: immutable. Cost of a lookup: one probe for each label; allocates nothing.
 */
public final class OperatorRules {

    /** The name of this list in logs and statistics. */
    public static final String LIST_NAME = "operator";

    /** The maximum number of rules. */
    public static final int MAX_RULES = 1_000;

    private static final int BLOCK_FLAGS =
            FilterRule.block(/* line= */ 0, FilterRule.Subject.TREE, LIST_NAME).flags();

    private final NameHash hash;
    private final List<Rule> rules;
    private final NamePositions names;

    /**
     * An operator's rule.
     *
     * @param name the name in lower case, without a final dot
     */
    public record Rule(String name, boolean isAllowed) {

        /** The rule as a line of a list. */
        public String line() {
            return (isAllowed ? "@@||" : "||") + name + "^";
        }
    }

    /** Returns an instance without rules. */
    public static OperatorRules empty(NameHash hash) {
        return new OperatorRules(hash, List.of());
    }

    /**
     * Parses the rules of operators, one rule for each line.
     *
     * @param hash the hash of the names to look up
     * @throws IllegalArgumentException if a line is not a rule, or there are more rules than {@value #MAX_RULES}
     */
    public static OperatorRules of(NameHash hash, List<String> lines) {
        OperatorRules rules = empty(hash);
        for (String line : lines) {
            boolean isAllowed = line.startsWith("@@");
            String rest = isAllowed ? line.substring(2) : line;
            Checks.that(rest.startsWith("||") && rest.endsWith("^"), "rule", line, "||name^ or @@||name^");
            rules = rules.withRule(rest.substring(2, rest.length() - 1), isAllowed);
        }
        return rules;
    }

    private OperatorRules(NameHash hash, List<Rule> rules) {
        this.hash = hash;
        this.rules = List.copyOf(rules);
        this.names = new NamePositions(hash, rules.stream().map(Rule::name).toList());
    }

    /**
     * Returns a copy with an additional rule, which replaces any existing rule for the same name.
     *
     * @throws IllegalArgumentException if the name is invalid, or there are {@value #MAX_RULES} rules already
     */
    public OperatorRules withRule(String name, boolean isAllowed) {
        String parsed = parseName(name);
        List<Rule> next = new ArrayList<>(rules);
        next.removeIf(rule -> rule.name().equals(parsed));
        Checks.that(
                next.size() < MAX_RULES,
                "rules",
                next.size() + 1,
                "at most " + MAX_RULES + "; remove some with lb dns forget");
        next.add(new Rule(parsed, isAllowed));
        return new OperatorRules(hash, next);
    }

    /**
     * Returns a copy without the rule for a name.
     *
     * @throws NoSuchElementException if there is no such rule
     */
    public OperatorRules withoutRule(String name) {
        String parsed = parseName(name);
        List<Rule> next = new ArrayList<>(rules);
        if (!next.removeIf(rule -> rule.name().equals(parsed))) {
            throw new NoSuchElementException("name: " + parsed + " (expected: a name that was allowed or blocked)");
        }
        return new OperatorRules(hash, next);
    }

    private static String parseName(String name) {
        String parsed = RuleName.parse(name);
        if (parsed == null) {
            throw new IllegalArgumentException("name: " + name + " (expected: " + RuleName.EXPECTED_FORM + ")");
        }
        return parsed;
    }

    /** Returns the rules in the order in which they were added. */
    public List<Rule> rules() {
        return rules;
    }

    /** Returns the {@link FilterVerdict} for a hashed name. */
    long evaluate(QueryName name) {
        int position = names.findClosestEncloser(name);
        if (position == NamePositions.NONE) {
            return FilterVerdict.NONE;
        }
        int flags = rules.get(position).isAllowed() ? FilterRule.setAllowed(BLOCK_FLAGS) : BLOCK_FLAGS;
        return FilterVerdict.of(FilterVerdict.BY_OPERATOR, flags, /* list= */ 0, position);
    }

    RuleOrigin origin(long verdict) {
        int position = FilterVerdict.rule(verdict);
        return new RuleOrigin(
                /* listId= */ -1, LIST_NAME, position + 1, rules.get(position).line());
    }
}
