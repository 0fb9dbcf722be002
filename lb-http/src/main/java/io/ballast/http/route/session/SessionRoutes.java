package io.ballast.http.route.session;

import io.ballast.core.pool.Pool;
import io.ballast.core.pool.Topology;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.config.RouteConfig;
import io.ballast.http.config.RouteMatch;
import io.ballast.net.tls.ClientHello;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The routes of TCP or UDP sessions to pools. Precedence: an exact server name, the longest {@code *.suffix}, shorter
 * suffixes, then routes without a name. Among routes with the same name, the first match in the file is taken.
 *
 * <p>Immutable. Cost: linear in the labels of the name; routes with the same name are tried in sequence.
 */
public final class SessionRoutes {

    /** The empty table, used by listeners that serve no TCP or UDP sessions. */
    public static final SessionRoutes EMPTY = new SessionRoutes(/* generation= */ 0);

    private static final String SUFFIX = "*.";

    private final Map<String, List<SessionRoute>> exact = new HashMap<>();
    private final Map<String, List<SessionRoute>> suffixes = new HashMap<>();
    private final List<SessionRoute> any = new ArrayList<>();
    private final boolean needsClientHello;
    private final int generation;

    private SessionRoutes(int generation) {
        this.needsClientHello = false;
        this.generation = generation;
    }

    private SessionRoutes(ListenerConfig listener, Topology topology) {
        boolean needed = false;
        for (RouteConfig config : listener.routes()) {
            RouteMatch match = config.match();
            SessionRoute route = SessionRoute.of(config, topology);
            needed |= !match.serverNames().isEmpty() || !match.alpn().isEmpty();
            if (match.serverNames().isEmpty()) {
                any.add(route);
            }
            match.serverNames().forEach(name -> of(name).add(route));
        }
        this.needsClientHello = needed;
        this.generation = topology.generation();
    }

    private List<SessionRoute> of(String name) {
        return name.startsWith(SUFFIX)
                ? suffixes.computeIfAbsent(name.substring(SUFFIX.length()), suffix -> new ArrayList<>())
                : exact.computeIfAbsent(name, same -> new ArrayList<>());
    }

    /** Compiles the routes of a TCP or UDP listener. */
    public static SessionRoutes compile(ListenerConfig listener, Topology topology) {
        return new SessionRoutes(listener, topology);
    }

    /** The generation of the topology, used to pick the first backend of a session. */
    public int generation() {
        return generation;
    }

    /** Whether the TLS ClientHello must be read before routing. */
    public boolean needsClientHello() {
        return needsClientHello;
    }

    /**
     * Finds the pool of a session.
     *
     * @param hello the TLS ClientHello; {@link ClientHello#NONE} if not read
     * @param client the client's address, 4 or 16 bytes in network order; empty for a Unix socket
     * @return null if no route matches
     */
    public @Nullable Pool find(ClientHello hello, byte[] client, RandomGenerator random) {
        String name = hello.serverName();
        SessionRoute found = name == null ? null : findByName(name, hello, client);
        if (found == null) {
            found = first(any, hello, client);
        }
        return found == null ? null : found.selectPool(random);
    }

    private @Nullable SessionRoute findByName(String name, ClientHello hello, byte[] client) {
        SessionRoute found = first(exact.get(name), hello, client);
        for (int dot = name.indexOf('.'); found == null && dot >= 0; dot = name.indexOf('.', dot + 1)) {
            found = first(suffixes.get(name.substring(dot + 1)), hello, client);
        }
        return found;
    }

    private static @Nullable SessionRoute first(@Nullable List<SessionRoute> routes, ClientHello hello, byte[] client) {
        if (routes != null) {
            for (SessionRoute route : routes) {
                if (route.matches(hello, client)) {
                    return route;
                }
            }
        }
        return null;
    }
}
