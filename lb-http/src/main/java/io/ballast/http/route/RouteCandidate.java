package io.ballast.http.route;

import io.ballast.http.route.condition.Condition;
import io.ballast.http.route.destination.Destination;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.route.request.RoutedRequest;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A route whose host and path match a request. It matches the request if its other conditions hold.
 * Immutable.
 */
final class RouteCandidate {

    /**
     * The order of routes with the same path: first routes with a regular expression, then routes with more
     * conditions, then the order in the configuration file.
     */
    static final Comparator<RouteCandidate> MOST_SPECIFIC_FIRST = Comparator.comparing(
                    (RouteCandidate each) -> !each.hasRegex)
            .thenComparingInt(each -> -each.conditions.length)
            .thenComparingInt(each -> each.number);

    private final Condition[] conditions;
    private final boolean hasRegex;
    private final int number;
    private final Destination destination;

    /** @param hasRegex whether one of the conditions is a regular expression on the path */
    RouteCandidate(List<Condition> conditions, boolean hasRegex, int number, Destination destination) {
        this.conditions = conditions.toArray(new Condition[0]);
        this.hasRegex = hasRegex;
        this.number = number;
        this.destination = destination;
    }

    Destination destination() {
        return destination;
    }

    /** The destination if the route has no conditions; otherwise null. */
    @Nullable Destination unconditional() {
        return conditions.length == 0 ? destination : null;
    }

    boolean matches(RoutedRequest request, byte[] client, RouteScratch scratch) {
        for (Condition condition : conditions) {
            if (!condition.holds(request, client, scratch)) {
                return false;
            }
        }
        return true;
    }
}
