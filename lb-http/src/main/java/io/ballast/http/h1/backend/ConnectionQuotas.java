package io.ballast.http.h1.backend;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConnections;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The quotas of those backends that limit their connections. Each event loop looks one up once.
 *
 * <p>Thread safety: any event loop may ask.
 */
public final class ConnectionQuotas {

    private final List<BackendLoop> loops;
    private final ConcurrentHashMap<Backend, ConnectionQuota> quotas = new ConcurrentHashMap<>();

    private ConnectionQuotas(List<BackendLoop> loops) {
        this.loops = List.copyOf(loops);
    }

    /** Has these event loops keep to common quotas. Called before any of them serves. */
    public static void share(List<BackendLoop> loops) {
        ConnectionQuotas quotas = new ConnectionQuotas(loops);
        loops.forEach(loop -> loop.quotas(quotas));
    }

    /** Connections that are made later have another limit, or none. Those that there are go on to count by theirs. */
    void retire(Backend backend) {
        quotas.remove(backend);
    }

    ConnectionQuota of(Backend backend, BackendConnections settings) {
        return quotas.computeIfAbsent(backend, key -> new ConnectionQuota(backend, settings, loops));
    }
}
