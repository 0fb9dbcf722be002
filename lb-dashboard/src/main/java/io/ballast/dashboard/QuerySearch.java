package io.ballast.dashboard;

import io.ballast.dashboard.server.Request;
import io.ballast.dashboard.source.LoggedQuery;
import java.util.Locale;
import java.util.Optional;

/**
 * Selects queries from the query log. An absent filter matches every query.
 *
 * @param name part of the name, in lower case
 * @param client prefix of the client's address
 * @param outcome such as {@code blocked}
 * @param type such as {@code AAAA}
 * @param limit maximum number of queries
 */
record QuerySearch(
        Optional<String> name, Optional<String> client, Optional<String> outcome, Optional<String> type, int limit) {

    static final int DEFAULT_LIMIT = 100;
    static final int MAX_LIMIT = 1000;

    static QuerySearch of(Request request) {
        return new QuerySearch(
                QueryParameters.text(request, "name").map(name -> name.toLowerCase(Locale.ROOT)),
                QueryParameters.text(request, "client"),
                QueryParameters.text(request, "outcome").map(outcome -> outcome.toLowerCase(Locale.ROOT)),
                QueryParameters.text(request, "type").map(type -> type.toUpperCase(Locale.ROOT)),
                QueryParameters.number(request, "limit", DEFAULT_LIMIT, 1, MAX_LIMIT));
    }

    boolean matches(LoggedQuery query) {
        return outcome.map(query.outcome()::equals).orElse(true)
                && type.map(query.type()::equals).orElse(true)
                && client.map(query.client()::startsWith).orElse(true)
                && name.map(query.name()::contains).orElse(true);
    }
}
