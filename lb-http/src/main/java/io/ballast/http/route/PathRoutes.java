package io.ballast.http.route;

import io.ballast.http.route.destination.Destination;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.route.request.RoutedRequest;
import org.jspecify.annotations.Nullable;

/** The routes of one exact path, or of one prefix and the regular expressions stored at it. Immutable. */
final class PathRoutes {

    private final RouteCandidate[] candidates;
    private final @Nullable Destination unconditional;
    private final @Nullable PathRoutes shorterPrefixes;

    /**
     * @param candidates the routes in the order in which they are tried
     * @param shorter the routes of the next shorter prefix, used when none of the candidates matches a request
     */
    PathRoutes(RouteCandidate[] candidates, @Nullable PathRoutes shorter) {
        this.candidates = candidates;
        this.shorterPrefixes = shorter;
        // Most paths have one route, and large tables exceed the CPU cache: this field saves two memory accesses.
        this.unconditional = candidates.length > 0 ? candidates[0].unconditional() : null;
    }

    /** The first route whose conditions hold, among these routes and the routes of shorter prefixes. */
    @Nullable Destination find(RoutedRequest request, byte[] client, RouteScratch scratch) {
        for (PathRoutes each = this; each != null; each = each.shorterPrefixes) {
            if (each.unconditional != null) {
                return each.unconditional;
            }
            for (RouteCandidate candidate : each.candidates) {
                if (candidate.matches(request, client, scratch)) {
                    return candidate.destination();
                }
            }
        }
        return null;
    }
}
