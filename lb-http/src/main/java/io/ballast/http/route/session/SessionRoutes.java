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
 * Which pool a session goes to. An exact name that the client asks for comes before the longest {@code *.suffix}, that
 * before shorter ones, these before routes without a name; among routes of one name the first in the file that matches is
 * taken.
 *
 * <p>Immutable. Cost: linear in the labels of the name; routes of one name are tried one after the other.
 */
public final class SessionRoutes {

    /** Of a listener that has no sessions. */
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

    /** Compiles the routes of a listener for TCP or UDP. */
    public static SessionRoutes compile(ListenerConfig listener, Topology topology) {
        return new SessionRoutes(listener, topology);
    }

    /** That of the topology whose pools it leads to, by which the first backend of a session is picked. */
    public int generation() {
        return generation;
    }

    /** Whether what a TLS client says first must be known. */
    public boolean needsClientHello() {
        return needsClientHello;
    }

    /**
     * Finds the pool of a session.
     *
     * @param hello what a TLS client says first; {@link ClientHello#NONE} if it was not read
     * @param client the client's address, 4 or 16 octets in network order; none by a Unix socket
     * @return null if no route matches
     */
    public @Nullable Pool find(ClientHello hello, byte[] client, RandomGenerator random) {
        String name = hello.serverName();
        SessionRoute found = name == null ? null : findByName(name, hello, client);
        if (found == null) {
            found = first(any, hello, client);
        }
        return found == null ? null : found.draw(random);
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
