package io.ballast.http.h1.backend;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConnections;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The quotas of the backends with a connection limit. All event loops share the quota of a backend. Each
 * event loop acquires a quota once and keeps it until it releases the quota.
 *
 * <p>Thread-safe.
 */
public final class ConnectionQuotas {

    private final List<BackendLoop> loops;
    private final ConcurrentHashMap<Limit, Shared> quotas = new ConcurrentHashMap<>();

    /** The key of a quota: each combination of a backend and a limit has its own quota. */
    record Limit(Backend backend, int max) {}

    /** @param uses the number of event loops that use the quota */
    private record Shared(ConnectionQuota quota, int uses) {

        Shared addUses(int more) {
            return new Shared(quota, uses + more);
        }
    }

    ConnectionQuotas(List<BackendLoop> loops) {
        this.loops = List.copyOf(loops);
    }

    /** Makes these event loops share quotas. Called before any loop serves requests. */
    public static void share(List<BackendLoop> loops) {
        ConnectionQuotas quotas = new ConnectionQuotas(loops);
        loops.forEach(loop -> loop.quotas(quotas));
    }

    /** Acquires the quota under which an event loop opens connections until it releases the quota. */
    ConnectionQuota acquire(Backend backend, BackendConnections settings) {
        Limit wanted = new Limit(backend, settings.maxConnections());
        return quotas.compute(
                        wanted,
                        (limit, known) ->
                                known == null ? new Shared(new ConnectionQuota(limit, loops), 1) : known.addUses(1))
                .quota;
    }

    /**
     * Releases a quota; existing connections still count against it. While other event loops use the quota,
     * {@link #acquire} returns the same object. This matters when loops release and acquire a quota again one by
     * one.
     */
    void release(ConnectionQuota quota) {
        quotas.computeIfPresent(quota.limit(), (limit, known) -> known.uses == 1 ? null : known.addUses(-1));
    }
}
