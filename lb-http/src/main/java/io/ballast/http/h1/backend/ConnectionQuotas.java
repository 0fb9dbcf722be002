package io.ballast.http.h1.backend;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConnections;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The quotas of those backends that limit their connections. Each event loop takes one once.
 *
 * <p>Thread safety: any event loop may ask.
 */
public final class ConnectionQuotas {

    private final List<BackendLoop> loops;
    private final ConcurrentHashMap<Limit, Shared> quotas = new ConcurrentHashMap<>();

    /** What a quota is for: another limit is another quota. */
    record Limit(Backend backend, int most) {}

    /** @param uses how many event loops open connections by it */
    private record Shared(ConnectionQuota quota, int uses) {

        Shared used(int more) {
            return new Shared(quota, uses + more);
        }
    }

    ConnectionQuotas(List<BackendLoop> loops) {
        this.loops = List.copyOf(loops);
    }

    /** Has these event loops keep to common quotas. Called before any of them serves. */
    public static void share(List<BackendLoop> loops) {
        ConnectionQuotas quotas = new ConnectionQuotas(loops);
        loops.forEach(loop -> loop.quotas(quotas));
    }

    /** The one by which an event loop opens connections until it gives it back. */
    ConnectionQuota take(Backend backend, BackendConnections settings) {
        Limit wanted = new Limit(backend, settings.maxConnections());
        return quotas.compute(
                        wanted,
                        (limit, known) ->
                                known == null ? new Shared(new ConnectionQuota(limit, loops), 1) : known.used(1))
                .quota;
    }

    /**
     * An event loop opens no connection by a quota any more; what it has open goes on to count. As long as others do, it is the
     * one that it gets again: event loops give it back one after the other, and take it anew meanwhile.
     */
    void giveBack(ConnectionQuota quota) {
        quotas.computeIfPresent(quota.limit(), (limit, known) -> known.uses == 1 ? null : known.used(-1));
    }
}
