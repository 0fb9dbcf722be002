package io.ballast.config.imports;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A route of an imported configuration file (HAProxy, nginx), in that file's order of precedence.
 *
 * @param match conditions of the route
 * @param exceptions conditions of requests that this route excludes; later routes serve them
 * @param action the keys of the route other than {@code match}, such as {@code pool}
 * @param directive the directive that defines the route
 */
public record ImportedRoute(
        ImportedConditions match,
        List<ImportedConditions> exceptions,
        Map<String, Object> action,
        Directive directive) {

    public ImportedRoute {
        exceptions = List.copyOf(exceptions);
        action = new LinkedHashMap<>(action);
    }

    /** Creates a route without exclusions: it serves all requests that meet the conditions {@code match}. */
    public static ImportedRoute of(ImportedConditions match, Map<String, Object> action, Directive from) {
        return new ImportedRoute(match, List.of(), action, from);
    }

    /** Creates a route to a pool. */
    public static ImportedRoute toPool(ImportedConditions match, String pool, Directive from) {
        return of(match, Map.of("pool", pool), from);
    }

    /** Returns a copy with the conditions {@code other} and without exclusions. */
    ImportedRoute withMatch(ImportedConditions other) {
        return new ImportedRoute(other, List.of(), action, directive);
    }
}
