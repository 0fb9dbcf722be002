package io.ballast.http.net;

import io.ballast.core.config.BackendProtocol;
import io.ballast.core.config.BackendTls;
import io.ballast.core.config.PoolConfig;
import io.ballast.net.tls.ClientTls;
import io.ballast.net.tls.TlsReload;
import io.ballast.net.tls.WatchedTls;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    private @Nullable TlsReload reload;

    private PoolTls() {}

    /**
     * Reads the files of every pool that has some, looks from then on whether they change, and warns of pools whose
     * backends are believed whatever they show.
     *
     * @throws IllegalStateException if one cannot be used; the message says whose, and names the file
     */
    public static PoolTls open(Collection<PoolConfig> pools) {
        PoolTls all = new PoolTls();
        try {
            for (PoolConfig pool : pools) {
                if (pool.tls().isPresent()) {
                    all.byPool.put(
                            pool.name(),
                            open(
                                    pool.name(),
                                    pool.tls().get(),
                                    pool.connections().protocol()));
                }
            }
        } catch (RuntimeException e) {
            all.close();
            throw e;
        }
        if (!all.byPool.isEmpty()) {
            List<WatchedTls> watched = new ArrayList<>(all.byPool.values());
            all.reload = TlsReload.start(watched);
        }
        return all;
    }

    private static ClientTls open(String pool, BackendTls config, BackendProtocol protocol) {
        if (config.insecure()) {
            LOG.warn(
                    "msg=\"TLS TO BACKENDS IS NOT VERIFIED: whoever is on the way can read and change everything\""
                            + " pool={} key=tls.insecure",
                    pool);
        }
        try {
            return ClientTls.open(config, offered(protocol));
        } catch (IOException e) {
            throw new IllegalStateException("pools." + pool + ".tls: " + e.getMessage(), e);
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

    @Override
    public void close() {
        if (reload != null) {
            reload.close();
        }
        byPool.values().forEach(ClientTls::close);
    }
}
