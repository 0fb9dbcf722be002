package io.ballast.http.route;

import io.ballast.core.config.ListenerConfig;
import io.ballast.core.config.RouteAction;
import io.ballast.core.config.RouteConfig;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.Topology;
import io.ballast.http.header.HeadEdits;
import org.jspecify.annotations.Nullable;

/**
 * The routes of one listener, most specific first: exact hosts before {@code *.suffix} before any host, longer suffixes
 * and paths before shorter ones, else in the order of the file.
 *
 * <p>Immutable. Cost: linear in the number of routes; a single route that matches everything costs one field read.
 * Allocates nothing.
 */
public final class RouteTable {

    private final RouteEntry[] entries;
    private final @Nullable Route only;

    private RouteTable(RouteEntry[] entries) {
        this.entries = entries;
        this.only = entries.length == 1 && entries[0].matchesAll() ? entries[0].route() : null;
    }

    /** Compiles the listener's routes, and for each its header rules. */
    public static RouteTable compile(ListenerConfig listener, Topology topology) {
        RouteEntry[] entries = listener.routes().stream()
                .map(route -> RouteEntry.of(route, target(listener, route, topology)))
                .sorted(RouteEntry.MOST_SPECIFIC_FIRST) // stable
                .toArray(RouteEntry[]::new);
        return new RouteTable(entries);
    }

    private static Route target(ListenerConfig listener, RouteConfig route, Topology topology) {
        if (route.action() instanceof RouteAction.ToPool toPool) {
            Pool pool = topology.pool(toPool.pool());
            return new Route.ToPool(pool, HeadEdits.of(listener, route, pool.config()));
        }
        HeadEdits edits = HeadEdits.of(listener, route);
        return new Route.Fixed(FixedResponse.of((RouteAction.Respond) route.action(), edits.response()), edits);
    }

    /**
     * Finds the route of a request.
     *
     * @param bytes holds host and path
     * @param hostFrom start of the host name, which has no port; an empty range if the request names none
     * @param pathFrom start of the target's path, as sent; a query may follow
     * @param scratch into which a path that is not in its simplest form is normalised
     * @return null if no route matches
     */
    public @Nullable Route find(
            byte[] bytes, int hostFrom, int hostTo, int pathFrom, int pathTo, PathNormalizer scratch) {
        if (only != null) {
            return only;
        }
        scratch.normalize(bytes, pathFrom, pathTo);
        for (RouteEntry entry : entries) {
            if (entry.matchesHost(bytes, hostFrom, hostTo)
                    && entry.matchesPath(scratch.bytes(), scratch.from(), scratch.to())) {
                return entry.route();
            }
        }
        return null;
    }
}
