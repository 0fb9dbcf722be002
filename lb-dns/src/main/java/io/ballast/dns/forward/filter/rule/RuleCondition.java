package io.ballast.dns.forward.filter.rule;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The queries that a rule applies to: queries from some clients, queries for some types, or both. Immutable.
 *
 * @param clients the clients to which the rule applies; null for all clients
 * @param types the query types to which the rule applies; null for all types
 */
public record RuleCondition(
        @Nullable RuleClients clients, @Nullable RuleTypes types) {

    /** No condition: the rule applies to every query. */
    static final RuleCondition NONE = new RuleCondition(/* clients= */ null, /* types= */ null);

    boolean isNone() {
        return clients == null && types == null;
    }

    /** Whether a rule applies to a query. Allocates nothing. */
    public boolean matches(@Nullable RuleContext query) {
        if (isNone()) {
            return true;
        }
        return query != null
                && (types == null || types.contains(query.type()))
                && (clients == null || (query.hasClient() && clients.contains(query)));
    }

    /** Returns the modifiers in filter-list syntax; empty if there are none. */
    String text() {
        String clientsText = Optional.ofNullable(clients).map(RuleClients::text).orElse("");
        String typesText = Optional.ofNullable(types).map(RuleTypes::text).orElse("");
        return clientsText + (clientsText.isEmpty() || typesText.isEmpty() ? "" : ",") + typesText;
    }
}
