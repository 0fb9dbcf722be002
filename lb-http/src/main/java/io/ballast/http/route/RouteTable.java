package io.ballast.http.route;

import io.ballast.core.pool.Topology;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.config.PathRules;
import io.ballast.http.config.SlashRule;
import io.ballast.http.header.RouteHeaderEdits;
import io.ballast.http.policy.PolicySource;
import io.ballast.http.route.destination.Destination;
import io.ballast.http.route.destination.DestinationCompiler;
import io.ballast.http.route.destination.Route;
import io.ballast.http.route.request.PathNormalizer;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.route.request.RoutedRequest;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The compiled routes of one listener; {@code docs/routing.md} describes the precedence of matches.
 *
 * <p>Immutable. Cost: linear in the lengths of host and path, independent of the number of routes. Routes with the same
 * host and path but different conditions are tried in sequence. A single route that matches all requests costs one
 * field read. No allocation, except for regular expressions.
 */
public final class RouteTable {

    /** The table of a listener that serves no HTTP requests. */
    public static final RouteTable EMPTY = new RouteTable(
            new HostTable(ByteTable.ofHosts(Map.of()), ByteTable.ofHosts(Map.of()), null),
            /* only= */ null,
            PathRules.DEFAULT,
            new Route.Refused(RouteHeaderEdits.NONE, /* policies= */ null),
            new Route.None(RouteHeaderEdits.NONE, /* policies= */ null),
            /* challenges= */ null);

    private final HostTable hosts;
    private final @Nullable Destination singleDestination;
    private final int rejected;
    private final int decoded;
    private final int checked;
    private final Route.Refused refused;
    private final Route.None none;
    private final @Nullable ChallengeFiles challenges;

    /**
     * @param only the destination of all requests; null if there are several
     * @param refused the route of requests whose path is refused
     * @param none the route of requests that match no route
     * @param challenges files that take precedence over all routes; null for none
     */
    RouteTable(
            HostTable hosts,
            @Nullable Destination only,
            PathRules paths,
            Route.Refused refused,
            Route.None none,
            @Nullable ChallengeFiles challenges) {
        this.hosts = hosts;
        this.singleDestination = only;
        this.rejected = bits(paths, SlashRule.REJECT);
        this.decoded = bits(paths, SlashRule.DECODE);
        this.checked = bits(paths, SlashRule.CHECK);
        this.refused = refused;
        this.none = none;
        this.challenges = challenges;
    }

    /** The characters for which {@code rule} is configured, as bits of {@link PathNormalizer}. */
    private static int bits(PathRules paths, SlashRule rule) {
        return (paths.encodedSlash() == rule ? PathNormalizer.ENCODED_SLASH : 0)
                | (paths.backslash() == rule ? PathNormalizer.BACKSLASH : 0);
    }

    /** Compiles the routes of a listener without policies. */
    public static RouteTable compile(ListenerConfig listener, Topology topology) {
        return compile(listener, topology, PolicySource.NONE, new ChallengeFiles());
    }

    /**
     * Compiles the listener's routes, their header rules and their policies. Cost: O(n log n).
     *
     * @param challenges files that listeners without TLS serve before all routes
     */
    public static RouteTable compile(
            ListenerConfig listener, Topology topology, PolicySource policies, ChallengeFiles challenges) {
        return new RouteCompiler(new DestinationCompiler(listener, topology, policies), listener, challenges)
                .compile(listener.routes());
    }

    /**
     * Finds the route of a request.
     *
     * @param client the client's address, 4 or 16 bytes in network order; empty for a Unix socket
     * @return a {@link Route.None} if no route matches
     */
    public Route find(RoutedRequest request, byte[] client, RouteScratch scratch) {
        Route challenge = challenges == null ? null : challenges.find(request);
        if (challenge != null) {
            return challenge;
        }
        Destination found =
                singleDestination == null || rejected != 0 ? search(request, client, scratch) : singleDestination;
        return found == null ? none : found.select(scratch.random());
    }

    private @Nullable Destination search(RoutedRequest request, byte[] client, RouteScratch scratch) {
        normalize(request, decoded, scratch);
        int ambiguous = scratch.path().ambiguousSlashes();
        if ((ambiguous & rejected) != 0) {
            return refused;
        }
        if (singleDestination != null) {
            return singleDestination;
        }
        Destination found = searchHosts(request, client, scratch);
        int differing = ambiguous & checked;
        // Try each way in which a backend may read the path: each subset of the characters that may be slashes.
        for (int slashes = differing; slashes != 0; slashes = (slashes - 1) & differing) {
            normalize(request, decoded | slashes, scratch);
            if (searchHosts(request, client, scratch) != found) {
                return refused;
            }
        }
        return found;
    }

    private static void normalize(RoutedRequest request, int slashes, RouteScratch scratch) {
        scratch.path().normalize(request.bytes(), request.pathStart(), request.pathEnd(), slashes);
    }

    private @Nullable Destination searchHosts(RoutedRequest request, byte[] client, RouteScratch scratch) {
        byte[] bytes = request.bytes();
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
