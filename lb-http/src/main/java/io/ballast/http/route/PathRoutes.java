package io.ballast.http.route;

import io.ballast.http.route.destination.Destination;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.route.request.RoutedRequest;
import org.jspecify.annotations.Nullable;

/** The routes of one path, or of one prefix and the expressions that begin with it. Immutable. */
final class PathRoutes {

    private final Candidate[] candidates;
    private final @Nullable Destination unconditional;
    private final @Nullable PathRoutes shorter;

    /**
     * @param candidates in the order in which they are tried
     * @param shorter those of the next shorter prefix that has any, which follow when none of these takes a request
     */
    PathRoutes(Candidate[] candidates, @Nullable PathRoutes shorter) {
        this.candidates = candidates;
        this.shorter = shorter;
        // Most paths have one route, and many tables do not fit a cache: two objects less to look at.
        this.unconditional = candidates.length > 0 ? candidates[0].unconditional() : null;
    }

    /** The first whose conditions hold, of these and of shorter prefixes. */
    @Nullable Destination find(RoutedRequest request, byte[] client, RouteScratch scratch) {
        for (PathRoutes each = this; each != null; each = each.shorter) {
            if (each.unconditional != null) {
                return each.unconditional;
            }
            for (Candidate candidate : each.candidates) {
                if (candidate.takes(request, client, scratch)) {
                    return candidate.destination();
                }
            }
        }
        return null;
    }
}
