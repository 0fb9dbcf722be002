package io.ballast.http.route;

import io.ballast.core.config.ListenerConfig;
import io.ballast.core.pool.Topology;
import io.ballast.http.route.destination.Destination;
import io.ballast.http.route.destination.DestinationCompiler;
import io.ballast.http.route.destination.Route;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.route.request.RoutedRequest;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The routes of one listener, compiled; {@code docs/routing.md} says which of several that match is taken.
 *
 * <p>Immutable. Cost: linear in the lengths of host and path, not in the number of routes; those that share host and path
 * and differ in other conditions are tried one after the other. A single route that takes everything costs one field
 * read. Allocates nothing, but for regular expressions.
 */
public final class RouteTable {

    /** Of a listener that has no requests. */
    public static final RouteTable EMPTY =
            new RouteTable(new HostTable(OctetTable.ofHosts(Map.of()), OctetTable.ofHosts(Map.of()), null), null);

    private final HostTable hosts;
    private final @Nullable Destination only;

    RouteTable(HostTable hosts, @Nullable Destination only) {
        this.hosts = hosts;
        this.only = only;
    }

    /** Compiles the listener's routes, and for each its header rules. Cost: O(n log n). */
    public static RouteTable compile(ListenerConfig listener, Topology topology) {
        return new RouteCompiler(new DestinationCompiler(listener, topology)).compile(listener.routes());
    }

    /**
     * Finds the route of a request.
     *
     * @param client the client's address, 4 or 16 octets in network order; none by a Unix socket
     * @return null if no route matches
     */
    public @Nullable Route find(RoutedRequest request, byte[] client, RouteScratch scratch) {
        Destination found = only == null ? search(request, client, scratch) : only;
        return found == null ? null : found.draw(scratch.random());
    }

    private @Nullable Destination search(RoutedRequest request, byte[] client, RouteScratch scratch) {
        byte[] bytes = request.bytes();
        scratch.path().normalize(bytes, request.pathStart(), request.pathEnd());
        HostRoutes host = hosts.find(bytes, request.hostStart(), request.hostEnd());
        while (host != null) {
            Destination found = host.find(request, client, scratch);
            if (found != null) {
                return found;
            }
            host = host.next();
        }
        return null;
    }
}
