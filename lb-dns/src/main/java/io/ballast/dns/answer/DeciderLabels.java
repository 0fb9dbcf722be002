package io.ballast.dns.answer;

import io.ballast.core.backend.Backend;
import io.ballast.dns.forward.filter.ActiveRules;
import io.ballast.dns.querylog.DeciderLabeler;

/**
 * Converts deciders, such as the rule list or the resolver that decided a query, to their names in logs; see
 * {@link DeciderLabeler}.
 */
public final class DeciderLabels {

    private DeciderLabels() {}

    /** Returns the label of a decider: the name of a rule list, or the address of a resolver. */
    public static String of(Object decider, long detail) {
        if (decider instanceof ActiveRules rules) {
            return rules.listName(detail);
        }
        return decider instanceof Backend backend ? backend.address().toString() : "";
    }
}
