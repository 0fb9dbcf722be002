package io.ballast.http.net;

import io.ballast.core.config.BackendProtocol;
import io.ballast.core.config.BackendTls;
import io.ballast.core.config.BallastConfig;
import io.ballast.core.config.ListenerProtocol;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.config.RouteAction;
import io.ballast.core.control.PreparedChange;
import io.ballast.net.tls.ClientTls;
import io.ballast.net.tls.TlsReload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TLS of connections to the backends of pools.
 *
 * <p>Thread safety: any thread may ask for it; closed by one, when there are no connections any more.
 */
public final class PoolTls implements AutoCloseable {

    /** For pools without TLS. */
    public static final PoolTls NONE = new PoolTls(Contexts.NONE);

    private static final Logger LOG = LoggerFactory.getLogger(PoolTls.class);

    /** Replaced as a whole by a reload. */
    private volatile Contexts contexts;

    private @Nullable TlsReload reload;

    private PoolTls(Contexts contexts) {
        this.contexts = contexts;
        this.reload = contexts.watch();
    }

    /** What a context is made from: equal ones are the same context. */
    private record Key(String pool, BackendTls tls, List<String> offered, boolean ofSessions) {}

    /** Those of one configuration. Immutable. */
    private record Contexts(Map<Key, ClientTls> all, Map<String, ClientTls> byPool, Map<String, ClientTls> ofSessions) {

        static final Contexts NONE = new Contexts(Map.of());

        Contexts(Map<Key, ClientTls> all) {
            this(all, byPool(all, /* ofSessions= */ false), byPool(all, /* ofSessions= */ true));
        }

        private static Map<String, ClientTls> byPool(Map<Key, ClientTls> all, boolean ofSessions) {
            Map<String, ClientTls> byPool = new HashMap<>();
            all.forEach((key, tls) -> {
                if (key.ofSessions == ofSessions) {
                    byPool.put(key.pool, tls);
                }
            });
            return byPool;
        }

        @Nullable TlsReload watch() {
            return all.isEmpty() ? null : TlsReload.start(List.copyOf(all.values()));
        }

        /** Closes those that another has not. */
        void closeBeside(Contexts other) {
            all.forEach((key, tls) -> {
                if (other.all.get(key) != tls) {
                    tls.close();
                }
            });
        }
    }

    /**
     * Reads the files of every pool that has some, looks from then on whether they change, and warns of pools whose
     * backends are believed whatever they show.
     *
     * @throws IllegalStateException if one cannot be used; the message says whose, and names the file
     */
    public static PoolTls open(BallastConfig config) {
        return new PoolTls(contexts(config, Contexts.NONE));
    }

    /**
     * Reads the files of pools that are new or have other TLS; the others go on with what they have.
     *
     * @throws IllegalStateException if one cannot be used; the message says whose, and names the file
     */
    public PreparedChange prepare(BallastConfig config) {
        Contexts before = contexts;
        Contexts next = contexts(config, before);
        return new PreparedChange() {

            private boolean committed;

            @Override
            public void commit() {
                committed = true;
                contexts = next;
            }

            @Override
            public void settle() {
                closeReload();
                reload = next.watch();
                before.closeBeside(next);
            }

            @Override
            public void close() {
                if (!committed) {
                    next.closeBeside(before);
                }
            }
        };
    }

    private static Contexts contexts(BallastConfig config, Contexts before) {
        Map<Key, ClientTls> all = new LinkedHashMap<>();
        try {
            for (Key key : keys(config)) {
                ClientTls known = before.all.get(key);
                all.put(key, known == null ? open(key) : known);
            }
        } catch (RuntimeException e) {
            new Contexts(all).closeBeside(before);
            throw e;
        }
        return new Contexts(all);
    }

    private static List<Key> keys(BallastConfig config) {
        Set<String> ofSessions = config.listeners().stream()
                .filter(listener -> listener.protocol() == ListenerProtocol.TCP)
                .flatMap(listener -> listener.routes().stream())
                .flatMap(route -> route.action().shares().stream())
                .map(RouteAction.Share::pool)
                .collect(Collectors.toSet());
        List<Key> keys = new ArrayList<>();
        for (PoolConfig pool : config.pools().values()) {
            pool.tls().ifPresent(tls -> {
                List<String> offered = offered(pool.connections().protocol());
                keys.add(new Key(pool.name(), tls, offered, /* ofSessions= */ false));
                if (ofSessions.contains(pool.name())) {
                    keys.add(new Key(pool.name(), tls, offered, /* ofSessions= */ true));
                }
            });
        }
        return keys;
    }

    private static ClientTls open(Key key) {
        if (key.tls.insecure() && !key.ofSessions) {
            LOG.warn(
                    "msg=\"TLS TO BACKENDS IS NOT VERIFIED: whoever is on the way can read and change everything\""
                            + " pool={} key=tls.insecure",
                    key.pool);
        }
        try {
            return key.ofSessions ? ClientTls.forSessions(key.tls) : ClientTls.open(key.tls, key.offered);
        } catch (IOException e) {
            throw new IllegalStateException("pools." + key.pool + ".tls: " + e.getMessage(), e);
        }
    }

    private static List<String> offered(BackendProtocol protocol) {
        return switch (protocol) {
            case H2 -> List.of(TlsConnect.HTTP_2);
            case AUTO -> List.of(TlsConnect.HTTP_2, TlsConnect.HTTP_1_1);
            case HTTP1, H2C -> List.of(TlsConnect.HTTP_1_1);
        };
    }

    /** That of a pool; null if its backends are spoken to without. */
    public @Nullable ClientTls of(String pool) {
        return contexts.byPool.get(pool);
    }

    /** That of a pool for sessions of TCP listeners; null if its backends are spoken to without. */
    public @Nullable ClientTls ofSessions(String pool) {
        return contexts.ofSessions.get(pool);
    }

    @Override
    public void close() {
        closeReload();
        contexts.closeBeside(Contexts.NONE);
    }

    private void closeReload() {
        if (reload != null) {
            reload.close();
        }
        reload = null;
    }
}
