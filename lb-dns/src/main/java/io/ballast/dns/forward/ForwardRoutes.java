package io.ballast.dns.forward;

import io.ballast.core.net.CidrSet;
import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.config.forward.DnsForwardConfig.Route;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.Wire;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * Selects the resolvers for a query: the first matching route determines them.
 *
 * <p>Thread safety: immutable. Cost: one probe for each label of the name, and one check of the client's
 * network for each candidate route before the match; allocates nothing.
 */
public final class ForwardRoutes {

    private static final int[] NONE = {};

    private final Upstream defaultUpstream;
    private final Upstream[] upstreams;
    /** Client networks of each route; not used if the route is for all clients. */
    private final CidrSet[] clients;

    private final boolean[] matchesAllClients;
    /**
     * Suffixes in a hash table with open addressing, at most half full; {@link #routes} has the routes of each
     * suffix.
     */
    private final byte[][] names;

    private final int[][] routes;
    private final int mask;

    private ForwardRoutes(Upstream defaultUpstream, List<Upstream> upstreams, List<Route> all, NameHash hash) {
        this.defaultUpstream = defaultUpstream;
        this.upstreams = upstreams.toArray(Upstream[]::new);
        this.clients = all.stream().map(route -> CidrSet.of(route.clients())).toArray(CidrSet[]::new);
        this.matchesAllClients = new boolean[all.size()];
        Map<String, List<Integer>> bySuffix = new HashMap<>();
        for (int i = 0; i < all.size(); i++) {
            Route route = all.get(i);
            matchesAllClients[i] = route.clients().isEmpty();
            List<String> suffixes = route.suffixes().isEmpty() ? List.of("") : route.suffixes();
            for (String suffix : suffixes) {
                bySuffix.computeIfAbsent(suffix, unknown -> new ArrayList<>()).add(i);
            }
        }
        int slots = Integer.highestOneBit(Math.max(1, 2 * bySuffix.size())) * 2;
        this.mask = slots - 1;
        this.names = new byte[slots][];
        this.routes = new int[slots][];
        bySuffix.forEach((suffix, numbers) -> add(wire(suffix), hash, numbers));
    }

    /**
     * Compiles the configured routes.
     *
     * @param upstreams function that returns the compiled upstream for a configured upstream
     * @param hash hash function of query names
     */
    static ForwardRoutes of(
            DnsForwardConfig config, Function<DnsForwardConfig.Upstream, Upstream> upstreams, NameHash hash) {
        List<Route> all = config.allRoutes();
        List<Upstream> routeUpstreams =
                all.stream().map(route -> upstreams.apply(route.upstream())).toList();
        return new ForwardRoutes(upstreams.apply(config.upstream()), routeUpstreams, all, hash);
    }

    private void add(byte[] name, NameHash hash, List<Integer> numbers) {
        QueryName parsed = new QueryName(hash);
        parsed.read(name, 0, name.length);
        parsed.hash();
        int slot = slot(parsed.hash(0));
        while (names[slot] != null) {
            slot = (slot + 1) & mask;
        }
        names[slot] = name;
        routes[slot] = numbers.stream().mapToInt(Integer::intValue).toArray();
    }

    /**
     * Returns a name in lower case and wire format.
     *
     * @throws IllegalArgumentException if the text is not a valid name
     */
    static byte[] wire(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        String name = lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
        if (name.length() > Wire.MAX_NAME_BYTES - 2) {
            throw new IllegalArgumentException("name: " + name + " (expected: at most 253 characters)");
        }
        byte[] wire = new byte[name.isEmpty() ? 1 : name.length() + 2];
        int at = 0;
        for (String label : name.isEmpty() ? new String[0] : name.split("\\.", /* limit= */ -1)) {
            byte[] bytes = label.getBytes(StandardCharsets.US_ASCII);
            if (bytes.length == 0 || bytes.length > Wire.MAX_LABEL_BYTES) {
                throw new IllegalArgumentException("name: " + name + " (expected: labels of 1 to 63 characters)");
            }
            wire[at] = (byte) bytes.length;
            System.arraycopy(bytes, 0, wire, at + 1, bytes.length);
            at += 1 + bytes.length;
        }
        return wire;
    }

    /**
     * Returns the upstream for a name.
     *
     * @param name a name whose suffixes are hashed
     * @param high the upper half of the client's address, in the form of {@link io.ballast.core.net.IpAddress}
     * @param low the lower half
     */
    public Upstream find(QueryName name, long high, long low) {
        int first = upstreams.length;
        for (int suffix = 0; suffix <= name.labels() && first > 0; suffix++) {
            first = firstMatch(routesOf(name, suffix), first, high, low);
        }
        return first == upstreams.length ? defaultUpstream : upstreams[first];
    }

    /** Returns whether a route for the name or one of its parents, except the root, matches the client. */
    public boolean hasRouteFor(QueryName name, long high, long low) {
        int routeCount = upstreams.length;
        for (int suffix = 0; suffix < name.labels(); suffix++) {
            if (firstMatch(routesOf(name, suffix), routeCount, high, low) < routeCount) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the first candidate route that matches the client, or {@code limit} if no route before {@code limit}
     * matches.
     */
    private int firstMatch(int[] candidates, int limit, long high, long low) {
        for (int route : candidates) {
            if (route >= limit) {
                return limit;
            }
            if (matchesAllClients[route] || clients[route].contains(high, low)) {
                return route;
            }
        }
        return limit;
    }

    private int[] routesOf(QueryName name, int suffix) {
        for (int slot = slot(name.hash(suffix)); names[slot] != null; slot = (slot + 1) & mask) {
            if (name.suffixEquals(suffix, names[slot])) {
                return routes[slot];
            }
        }
        return NONE;
    }

    private int slot(long hash) {
        return (int) (hash >>> 32) & mask;
    }
}
