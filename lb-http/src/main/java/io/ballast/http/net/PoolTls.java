package io.ballast.http.net;

import io.ballast.core.config.BackendProtocol;
import io.ballast.core.config.BackendTls;
import io.ballast.core.config.BallastConfig;
import io.ballast.core.config.ListenerProtocol;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.config.RouteAction;
import io.ballast.net.tls.ClientTls;
import io.ballast.net.tls.TlsReload;
import io.ballast.net.tls.WatchedTls;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
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
    public static final PoolTls NONE = new PoolTls();

    private static final Logger LOG = LoggerFactory.getLogger(PoolTls.class);

    private final Map<String, ClientTls> byPool = new HashMap<>();
    private final Map<String, ClientTls> ofSessions = new HashMap<>();
    private @Nullable TlsReload reload;

    private PoolTls() {}

    /**
     * Reads the files of every pool that has some, looks from then on whether they change, and warns of pools whose
     * backends are believed whatever they show.
     *
     * @throws IllegalStateException if one cannot be used; the message says whose, and names the file
     */
    public static PoolTls open(BallastConfig config) {
        Set<String> ofSessions = config.listeners().stream()
                .filter(listener -> listener.protocol() == ListenerProtocol.TCP)
                .flatMap(listener -> listener.routes().stream())
                .flatMap(route -> route.action().shares().stream())
                .map(RouteAction.Share::pool)
                .collect(Collectors.toSet());
        PoolTls all = new PoolTls();
        try {
            for (PoolConfig pool : config.pools().values()) {
                if (pool.tls().isPresent()) {
                    all.add(pool, pool.tls().get(), ofSessions.contains(pool.name()));
                }
            }
        } catch (RuntimeException e) {
            all.close();
            throw e;
        }
        if (!all.byPool.isEmpty()) {
            List<WatchedTls> watched = new ArrayList<>(all.byPool.values());
            watched.addAll(all.ofSessions.values());
            all.reload = TlsReload.start(watched);
        }
        return all;
    }

    private void add(PoolConfig pool, BackendTls config, boolean hasSessions) {
        if (config.insecure()) {
            LOG.warn(
                    "msg=\"TLS TO BACKENDS IS NOT VERIFIED: whoever is on the way can read and change everything\""
                            + " pool={} key=tls.insecure",
                    pool.name());
        }
        try {
            byPool.put(
                    pool.name(),
                    ClientTls.open(config, offered(pool.connections().protocol())));
            if (hasSessions) {
                ofSessions.put(pool.name(), ClientTls.forSessions(config));
            }
        } catch (IOException e) {
            throw new IllegalStateException("pools." + pool.name() + ".tls: " + e.getMessage(), e);
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
        return byPool.get(pool);
    }

    /** That of a pool for sessions of TCP listeners; null if its backends are spoken to without. */
    public @Nullable ClientTls ofSessions(String pool) {
        return ofSessions.get(pool);
    }

    @Override
    public void close() {
        if (reload != null) {
            reload.close();
        }
        byPool.values().forEach(ClientTls::close);
        ofSessions.values().forEach(ClientTls::close);
    }
}
