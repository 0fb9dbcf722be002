package io.ballast.http.net;

import io.ballast.core.ErrorText;
import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendProtocol;
import io.ballast.core.config.BackendTls;
import io.ballast.core.config.CheckSecurity;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.control.PreparedChange;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.config.ListenerProtocol;
import io.ballast.http.config.RouteAction;
import io.ballast.net.tls.ClientTls;
import io.ballast.net.tls.TlsReload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TLS contexts for connections to the backends of pools.
 *
 * <p>Contexts that a reload replaces or removes are kept until the next reload. They serve existing
 * connections, and requests waiting in a removed pool or received by a removed listener. After the next
 * reload, no new connection can use them.
 *
 * <p>Thread safety: any thread may look up contexts; one thread closes this object, after all connections
 * have ended.
 */
public final class PoolTls implements AutoCloseable {

    /** The contexts of pools without TLS. */
    public static final PoolTls NONE = new PoolTls(Contexts.NONE);

    private static final Logger LOG = LoggerFactory.getLogger(PoolTls.class);

    /** The active TLS contexts; a reload replaces all of them with one write. */
    private volatile Contexts contexts;

    /**
     * The contexts of a change in preparation; health checks of the backends that the change adds already use
     * them.
     */
    private volatile Contexts prepared = Contexts.NONE;

    private final TlsReload reload = new TlsReload();

    private PoolTls(Contexts contexts) {
        this.contexts = contexts;
        reload.watch(contexts.watched());
    }

    /**
     * The part of a configuration that determines which TLS contexts are needed. Immutable.
     *
     * @param listeners the listeners; TCP listeners need separate contexts for the pools of their routes
     * @param pools the pools by name
     * @param resolvers the pools whose backends are queried by DNS over TLS or HTTPS
     */
    public record Inputs(List<ListenerConfig> listeners, Map<String, PoolConfig> pools, List<Resolvers> resolvers) {

        public Inputs {
            listeners = List.copyOf(listeners);
            pools = Map.copyOf(pools);
            resolvers = List.copyOf(resolvers);
        }
    }

    /**
     * A pool of resolvers that are queried over encrypted connections.
     *
     * @param overHttp true for DNS over HTTPS, false for DNS over TLS
     */
    public record Resolvers(String pool, boolean overHttp) {}

    /** The key of a TLS context; uses with equal keys share one context. */
    private record Key(String pool, BackendTls tls, List<String> alpnProtocols, Use use) {}

    private enum Use {
        EXCHANGES,
        /** Upgrade requests to backends that may choose HTTP/2. These requests need an HTTP/1.1 connection. */
        UPGRADES,
        SESSIONS,
        CHECKS,
        /** DoT queries to resolvers. */
        DOT,
        /** DoH queries to resolvers. */
        DOH
    }

    /** The key of a context for health checks: pools with equal settings share one context. */
    private record CheckKey(BackendTls tls, List<String> alpnProtocols) {}

    /**
     * The contexts of one configuration. Immutable.
     *
     * @param all the active contexts
     * @param old contexts of the previous configuration that are no longer active
     * @param byPool contexts for requests by pool; active contexts take precedence over old contexts
     * @param ofUpgrades contexts for upgrade requests, for pools whose backends choose their protocol
     * @param ofSessions contexts for sessions
     * @param ofChecks contexts for checks, in any pool
     * @param ofDot contexts for resolvers queried over DoT
     * @param ofDoh contexts for resolvers queried over DoH
     */
    private record Contexts(
            Map<Key, ClientTls> all,
            Map<Key, ClientTls> old,
            Map<String, BackendSecurity> byPool,
            Map<String, BackendSecurity> ofUpgrades,
            Map<String, BackendSecurity> ofSessions,
            Map<CheckKey, ClientTls> ofChecks,
            Map<String, BackendSecurity> ofDot,
            Map<String, BackendSecurity> ofDoh) {

        static final Contexts NONE = new Contexts(Map.of(), Map.of());

        Contexts(Map<Key, ClientTls> all, Map<Key, ClientTls> old) {
            this(
                    all,
                    old,
                    byPool(all, old, Use.EXCHANGES),
                    byPool(all, old, Use.UPGRADES),
                    byPool(all, old, Use.SESSIONS),
                    ofChecks(all, old),
                    byPool(all, old, Use.DOT),
                    byPool(all, old, Use.DOH));
        }

        /**
         * Returns the contexts for {@code next}. Contexts whose keys are not in {@code next} are kept as old
         * contexts.
         */
        Contexts next(Map<Key, ClientTls> next) {
            Map<Key, ClientTls> replaced = new HashMap<>(all);
            replaced.keySet().removeAll(next.keySet());
            return new Contexts(next, replaced);
        }

        private static Map<String, BackendSecurity> byPool(
                Map<Key, ClientTls> all, Map<Key, ClientTls> former, Use use) {
            Map<String, BackendSecurity> byPool = new HashMap<>();
            Stream.of(former, all).flatMap(each -> each.entrySet().stream()).forEach(each -> {
                if (each.getKey().use == use) {
                    byPool.put(each.getKey().pool, new BackendSecurity.Tls(each.getValue()));
                }
            });
            return byPool;
        }

        private static Map<CheckKey, ClientTls> ofChecks(Map<Key, ClientTls> all, Map<Key, ClientTls> former) {
            Map<CheckKey, ClientTls> ofChecks = new HashMap<>();
            Stream.of(former, all).flatMap(each -> each.entrySet().stream()).forEach(each -> {
                Key key = each.getKey();
                if (key.use == Use.EXCHANGES || key.use == Use.CHECKS) {
                    ofChecks.put(new CheckKey(key.tls, key.alpnProtocols), each.getValue());
                }
            });
            return ofChecks;
        }

        /** The contexts whose files are watched. */
        List<ClientTls> watched() {
            return List.copyOf(all.values());
        }
    }

    /**
     * Reads the files of every pool that has TLS and watches them for changes. Logs a warning for pools that do not
     * verify their backends.
     *
     * @throws IllegalStateException if a file cannot be used; the message names the pool and the file
     */
    public static PoolTls open(Inputs inputs) {
        return new PoolTls(contexts(inputs, Contexts.NONE));
    }

    /**
     * Reads the TLS files of pools that are new or whose TLS settings have changed; other pools keep their
     * contexts. After this call, health checks of added backends use the new contexts, even before the change is
     * committed.
     *
     * @throws IllegalStateException if a file cannot be used; the message names the pool and the file
     */
    public PreparedChange prepare(Inputs inputs) {
        Contexts before = contexts;
        Contexts next = contexts(inputs, before);
        prepared = next;
        return new PreparedChange() {

            private boolean committed;

            @Override
            public void commit() {
                committed = true;
                contexts = next;
                prepared = Contexts.NONE;
            }

            @Override
            public void releasePrevious() {
                reload.watch(next.watched());
                before.old.values().forEach(reload::closeLater);
            }

            @Override
            public void close() {
                if (!committed) {
                    prepared = Contexts.NONE;
                    closeInactive(before, next.all);
                }
            }
        };
    }

    private static Contexts contexts(Inputs inputs, Contexts before) {
        Map<Key, ClientTls> all = new LinkedHashMap<>();
        try {
            for (Key key : keys(inputs)) {
                ClientTls known = before.all.get(key);
                all.put(key, known == null ? open(key) : known);
            }
        } catch (RuntimeException e) {
            closeInactive(before, all);
            throw e;
        }
        return before.next(all);
    }

    /** Closes the contexts in {@code opened} that are not active. */
    private static void closeInactive(Contexts active, Map<Key, ClientTls> opened) {
        opened.forEach((key, tls) -> {
            if (active.all.get(key) != tls) {
                tls.close();
            }
        });
    }

    private static List<Key> keys(Inputs inputs) {
        Set<String> ofSessions = inputs.listeners().stream()
                .filter(listener -> listener.protocol() == ListenerProtocol.TCP)
                .flatMap(listener -> listener.routes().stream())
                .flatMap(route -> route.action().shares().stream())
                .map(RouteAction.Share::pool)
                .collect(Collectors.toSet());
        List<Key> keys = new ArrayList<>();
        for (PoolConfig pool : inputs.pools().values()) {
            pool.tls().ifPresent(tls -> {
                List<String> offered = offered(pool.connections().protocol());
                keys.add(new Key(pool.name(), tls, offered, Use.EXCHANGES));
                if (pool.connections().protocol() == BackendProtocol.AUTO) {
                    keys.add(new Key(pool.name(), tls, List.of(BackendTlsHandshake.HTTP_1_1), Use.UPGRADES));
                }
                if (ofSessions.contains(pool.name())) {
                    keys.add(new Key(pool.name(), tls, offered, Use.SESSIONS));
                }
            });
            ofCheck(pool).ifPresent(keys::add);
        }
        for (Resolvers resolvers : inputs.resolvers()) {
            ofResolvers(inputs.pools().get(resolvers.pool()), resolvers.overHttp())
                    .ifPresent(keys::add);
        }
        return keys;
    }

    private static Optional<Key> ofResolvers(@Nullable PoolConfig pool, boolean overHttp) {
        if (pool == null) {
            return Optional.empty();
        }
        List<String> offered = overHttp ? List.of(BackendTlsHandshake.HTTP_2) : List.of();
        return pool.tls().map(tls -> new Key(pool.name(), tls, offered, overHttp ? Use.DOH : Use.DOT));
    }

    /**
     * The key of the TLS context for a pool's checks; empty if the checks share the context of the pool's
     * requests.
     */
    private static Optional<Key> ofCheck(PoolConfig pool) {
        return CheckSecurity.of(pool)
                .map(needed -> new Key(pool.name(), needed.tls(), offeredTo(needed.protocol()), Use.CHECKS))
                .filter(key -> !pool.tls().equals(Optional.of(key.tls))
                        || !offered(pool.connections().protocol()).equals(key.alpnProtocols));
    }

    private static ClientTls open(Key key) {
        if (key.tls.insecure() && key.use == Use.EXCHANGES) {
            LOG.warn(
                    "msg=\"TLS TO BACKENDS IS NOT VERIFIED: an attacker on the path can read and change all traffic\""
                            + " pool={} key=tls.insecure",
                    key.pool);
        }
        try {
            return key.use == Use.SESSIONS
                    ? ClientTls.forSessions(key.tls)
                    : ClientTls.open(key.tls, key.alpnProtocols);
        } catch (IOException e) {
            String at = key.use == Use.CHECKS ? ".health.tls: " : ".tls: ";
            throw new IllegalStateException("pools." + key.pool + at + ErrorText.of(e), e);
        }
    }

    private static List<String> offeredTo(Optional<BackendProtocol> protocol) {
        return protocol.map(PoolTls::offered).orElse(List.of());
    }

    private static List<String> offered(BackendProtocol protocol) {
        return switch (protocol) {
            case H2 -> List.of(BackendTlsHandshake.HTTP_2);
            case AUTO -> List.of(BackendTlsHandshake.HTTP_2, BackendTlsHandshake.HTTP_1_1);
            case HTTP1, H2C -> List.of(BackendTlsHandshake.HTTP_1_1);
        };
    }

    /** The TLS settings of a connection to a backend. */
    public BackendSecurity of(Backend backend) {
        return backend.isSecured()
                ? contexts.byPool.getOrDefault(backend.pool(), BackendSecurity.UNAVAILABLE)
                : BackendSecurity.PLAINTEXT;
    }

    /**
     * Like {@link #of}, for an upgrade request to a backend that selects its HTTP version with ALPN. The returned
     * settings offer only HTTP/1.1.
     */
    public BackendSecurity ofUpgrades(Backend backend) {
        return backend.isSecured()
                ? contexts.ofUpgrades.getOrDefault(backend.pool(), BackendSecurity.UNAVAILABLE)
                : BackendSecurity.PLAINTEXT;
    }

    /** Like {@link #of}, for a session of a TCP listener. */
    public BackendSecurity ofSessions(Backend backend) {
        return backend.isSecured()
                ? contexts.ofSessions.getOrDefault(backend.pool(), BackendSecurity.UNAVAILABLE)
                : BackendSecurity.PLAINTEXT;
    }

    /**
     * Returns the TLS context for queries to a resolver.
     *
     * @param overHttp true for DNS over HTTPS, false for DNS over TLS
     * @return null if the pool has no TLS settings; in this case the resolver must not be queried
     */
    public @Nullable ClientTls ofResolver(Backend backend, boolean overHttp) {
        Contexts present = contexts;
        Map<String, BackendSecurity> byPool = overHttp ? present.ofDoh : present.ofDot;
        return byPool.get(backend.pool()) instanceof BackendSecurity.Tls tls ? tls.context() : null;
    }

    /** The context for health checks with the given settings; null if no pool has such checks. */
    public @Nullable ClientTls ofCheck(BackendTls tls, Optional<BackendProtocol> protocol) {
        CheckKey key = new CheckKey(tls, offeredTo(protocol));
        Contexts ahead = prepared; // read before contexts: a concurrent commit moves entries from prepared to contexts
        ClientTls found = contexts.ofChecks.get(key);
        return found == null ? ahead.ofChecks.get(key) : found;
    }

    @Override
    public void close() {
        reload.close();
        contexts.all.values().forEach(ClientTls::close);
        contexts.old.values().forEach(ClientTls::close);
    }
}
