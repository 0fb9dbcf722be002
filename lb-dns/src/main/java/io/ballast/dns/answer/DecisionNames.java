package io.ballast.dns.answer;

import io.ballast.core.backend.Backend;
import io.ballast.dns.forward.filter.Rules;
import io.ballast.dns.querylog.DeciderNames;

/** Converts deciders to their names in logs; see {@link DeciderNames}. */
public final class DecisionNames {

    private DecisionNames() {}

    /** The list of a rule, or the address of a resolver. */
    public static String of(Object decider, long detail) {
        if (decider instanceof Rules rules) {
            return rules.listName(detail);
        }
        return decider instanceof Backend backend ? backend.address().toString() : "";
    }
}
