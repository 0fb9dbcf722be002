package io.ballast.dns.forward.filter;

import io.ballast.core.Checks;
import io.ballast.dns.forward.filter.rule.RuleSet;

/**
 * The rules of a list and their effect.
 *
 * @param id the id of the list: its bit in the masks of {@link FilterTable#evaluate}; 0 to {@value #MAX_ID}
 * @param isEnabled whether the rules of the list apply
 */
public record FilterList(int id, String name, ListKind kind, boolean isEnabled, RuleSet rules) {

    public static final int MAX_ID = 63;

    public FilterList {
        Checks.between(id, 0, MAX_ID, "list");
    }
}
