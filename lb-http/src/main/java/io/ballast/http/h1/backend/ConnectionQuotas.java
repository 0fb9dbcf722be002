package io.ballast.http.h1.backend;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConnections;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The quotas of the backends with a connection limit. All event loops share one quota object per backend and
 * limit. Each event loop acquires this object once, counts its connections in it, and releases it later.
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

    /**
     * Returns the quota of a backend for one event loop. The loop opens connections under this quota until it
     * calls {@link #release}.
     */
    ConnectionQuota acquire(Backend backend, BackendConnections settings) {
        Limit wanted = new Limit(backend, settings.maxConnections());
        return quotas.compute(
                        wanted,
                        (limit, known) ->
                                known == null ? new Shared(new ConnectionQuota(limit, loops), 1) : known.addUses(1))
                .quota;
    }

    /**
     * Releases a quota; existing connections still count against it. {@link #acquire} returns the same object while at
     * least one other event loop uses the quota. Event loops that release and acquire a quota one after another
     * therefore keep sharing it.
     */
    void release(ConnectionQuota quota) {
        quotas.computeIfPresent(quota.limit(), (limit, known) -> known.uses == 1 ? null : known.addUses(-1));
    }
}
