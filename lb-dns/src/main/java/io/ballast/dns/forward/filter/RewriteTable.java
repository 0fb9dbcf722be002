package io.ballast.dns.forward.filter;

import io.ballast.core.Checks;
import io.ballast.dns.forward.filter.rule.RuleName;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.QueryName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rewrite rules by name. The most specific rule wins: the rule of the name itself, then wildcards from
 * the longest to the shortest.
 *
 * <p>Thread safety: immutable. Cost: one probe for each label; allocates nothing.
 */
public final class RewriteTable {

    private static final int MAX_ALIASES = 8;

    private final NameHash hash;
    private final NamePositions names;
    /** Two entries for each name: the rule of the name itself, and the rule of the wildcard below it. */
    private final List<@Nullable RewriteRule> rules = new ArrayList<>();

    private final int size;

    /** Returns a table without rewrites. */
    public static RewriteTable empty() {
        return of(NameHash.random(), List.of());
    }

    /**
     * @param hash the hash of the names to look up
     * @throws IllegalArgumentException if two rules have the same name, or aliases form a loop
     */
    public static RewriteTable of(NameHash hash, List<RewriteRule> rules) {
        RewriteTable table = new RewriteTable(hash, rules);
        rules.forEach(table::resolveAliases);
        return table;
    }

    private RewriteTable(NameHash hash, List<RewriteRule> rewriteRules) {
        this.hash = hash;
        Map<String, Integer> positions = new LinkedHashMap<>();
        for (RewriteRule rule : rewriteRules) {
            int position = positions.computeIfAbsent(rule.baseName(), base -> {
                rules.add(null);
                rules.add(null);
                return rules.size() / 2 - 1;
            });
            int at = 2 * position + (rule.isWildcard() ? 1 : 0);
            Checks.that(rules.get(at) == null, "rewrite", rule.name(), "one rule per name");
            rules.set(at, rule);
        }
        this.size = rewriteRules.size();
        this.names = new NamePositions(hash, List.copyOf(positions.keySet()));
    }

    /** Returns the last rule of an alias chain; returns a rule that is not an alias unchanged. */
    RewriteRule resolveAliases(RewriteRule rule) {
        RewriteRule last = rule;
        for (int i = 0; last.action() == RewriteRule.Action.ALIAS; i++) {
            Checks.that(
                    i < MAX_ALIASES,
                    "rewrite",
                    rule.name(),
                    "at most " + MAX_ALIASES + " aliases in a chain, without a loop");
            byte[] wire = RuleName.toWireFormat(last.target());
            QueryName name = new QueryName(hash);
            name.read(wire, 0, wire.length);
            name.hash();
            RewriteRule next = find(name);
            if (next == null || next.action() == RewriteRule.Action.UNCHANGED) {
                return last;
            }
            last = next;
        }
        return last;
    }

    /** The number of rules. */
    public int size() {
        return size;
    }

    /** Returns the rule for a name hashed by the table's hash; null if there is none. */
    public @Nullable RewriteRule find(QueryName name) {
        if (size == 0) {
            return null;
        }
        for (int suffix = 0; suffix < name.labels(); suffix++) {
            int position = names.find(name, suffix);
            RewriteRule rule = position == NamePositions.NONE ? null : rules.get(2 * position + (suffix == 0 ? 0 : 1));
            if (rule != null) {
                return rule;
            }
        }
        return null;
    }
}
