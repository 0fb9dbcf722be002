package io.ballast.config.imports;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Converts routes where the first match wins into routes where the most specific match wins.
 *
 * <p>If a later route is more specific than an earlier one and some requests match both, a third route is
 * added for these requests, with the action of the earlier route: the intersection is more specific than
 * either. This is repeated until no route has to be added. Exclusions are handled in the same way: if a route
 * excludes some requests, copies of the later routes for these requests are inserted before it.
 *
 * <p>Bounds: {@value #MAX} routes; beyond this limit, the report states that the order was not preserved.
 */
final class RouteOrder {

    private static final int MAX = 1000;

    private record Ranked(ImportedRoute route, int rank) {}

    private final ImportReport report;
    private final Map<ImportedConditions, Ranked> routes = new LinkedHashMap<>();
    private final Deque<Ranked> unprocessed = new ArrayDeque<>();

    private RouteOrder(ImportReport report) {
        this.report = report;
    }

    /**
     * Converts {@code first}, a list in which the first match wins, to routes whose order does not matter. Both
     * lists select the same route for every request.
     */
    static List<ImportedRoute> of(List<ImportedRoute> first, ImportReport report) {
        RouteOrder order = new RouteOrder(report);
        List<ImportedRoute> plain = order.expandExceptions(first);
        for (int i = 0; i < plain.size(); i++) {
            order.add(plain.get(i), i);
        }
        order.addOverlaps();
        return order.routes.values().stream()
                .sorted(Comparator.comparingInt(Ranked::rank))
                .map(Ranked::route)
                .toList();
    }

    private List<ImportedRoute> expandExceptions(List<ImportedRoute> first) {
        List<ImportedRoute> plain = new ArrayList<>();
        for (int i = first.size() - 1; i >= 0; i--) {
            ImportedRoute route = first.get(i);
            List<ImportedRoute> here = new ArrayList<>();
            for (ImportedConditions exception : route.exceptions()) {
                for (ImportedConditions excepted : intersect(route, route.match(), exception)) {
                    for (ImportedRoute later : plain) {
                        intersect(route, excepted, later.match()).forEach(match -> here.add(later.withMatch(match)));
                    }
                }
            }
            here.add(route.withMatch(route.match()));
            here.addAll(plain);
            if (here.size() > MAX) {
                report.addUnsupported(route.directive(), "the conversion would need more than " + MAX + " routes");
            } else {
                plain = here;
            }
        }
        return plain;
    }

    private List<ImportedConditions> intersect(ImportedRoute route, ImportedConditions one, ImportedConditions other) {
        Optional<List<ImportedConditions>> both = one.and(other);
        if (both.isEmpty()) {
            report.addUnsupported(
                    route.directive(), "a single route cannot combine these conditions; check this rule by hand");
        }
        return both.orElse(List.of());
    }

    private void add(ImportedRoute route, int rank) {
        Ranked existing = routes.get(route.match());
        if (existing != null && existing.rank <= rank) {
            if (existing.rank < rank && !report.isReported(route.directive())) {
                report.addChanged(
                        route.directive(), "ignored: " + place(existing) + " already matches all its requests");
            }
            return;
        }
        Ranked added = new Ranked(route, rank);
        routes.put(route.match(), added);
        unprocessed.add(added);
    }

    private void addOverlaps() {
        while (!unprocessed.isEmpty()) {
            Ranked route = unprocessed.poll();
            if (!route.equals(routes.get(route.route.match()))) {
                continue;
            }
            for (Ranked other : List.copyOf(routes.values())) {
                if (routes.size() > MAX) {
                    report.addUnsupported(
                            route.route.directive(),
                            "too many routes overlap; the most specific route takes precedence, not the first");
                    return;
                }
                if (route.rank < other.rank) {
                    resolveOverlap(route, other);
                } else if (other.rank < route.rank) {
                    resolveOverlap(other, route);
                }
            }
        }
    }

    private void resolveOverlap(Ranked earlier, Ranked later) {
        if (earlier.route.action().equals(later.route.action())
                || !later.route.match().isTriedBefore(earlier.route.match())) {
            return;
        }
        Optional<List<ImportedConditions>> both = earlier.route.match().and(later.route.match());
        if (both.isEmpty() || both.get().stream().anyMatch(match -> isUnfit(match, earlier, later))) {
            reportPrecedence(
                    later,
                    earlier,
                    "takes precedence for requests that " + place(earlier)
                            + " also matches, because this route is more specific");
            return;
        }
        for (ImportedConditions match : both.get()) {
            if (match.equals(later.route.match())) {
                routes.remove(match); // the earlier route serves all requests of the removed route
            } else {
                add(earlier.route.withMatch(match), earlier.rank);
            }
        }
    }

    /**
     * Reports that the later route takes precedence. This is an error if the earlier route answers requests
     * itself, for example to deny them, because these requests must not reach the later route.
     */
    private void reportPrecedence(Ranked later, Ranked earlier, String how) {
        if (earlier.route.action().containsKey("respond")) {
            report.addUnsupported(later.route.directive(), how);
        } else {
            report.addChanged(later.route.directive(), how);
        }
    }

    /**
     * Returns whether a copy of the earlier route cannot serve the requests that match both routes. The copy would be
     * useless if the later route takes precedence over it. It would be wrong if the copied rewrite changes another part
     * of the path.
     */
    private static boolean isUnfit(ImportedConditions match, Ranked earlier, Ranked later) {
        return !match.equals(later.route.match())
                && (later.route.match().isTriedBefore(match)
                        || (earlier.route.action().containsKey("rewrite")
                                && !match.path().equals(earlier.route.match().path())));
    }

    private static String place(Ranked route) {
        return "line " + route.route.directive().line();
    }
}
