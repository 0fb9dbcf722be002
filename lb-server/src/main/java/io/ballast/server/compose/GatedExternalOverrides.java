package io.ballast.server.compose;

import io.ballast.core.backend.ExternalOverride;
import io.ballast.core.health.ExternalOverrides;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Executes changes of external overrides. While another process takes over, the changes wait: see {@link Gate}.
 */
final class GatedExternalOverrides implements ExternalOverrides {

    private final ExternalOverrides overrides;
    private final Gate gate;

    GatedExternalOverrides(ExternalOverrides overrides, Gate gate) {
        this.overrides = overrides;
        this.gate = gate;
    }

    @Override
    public CompletableFuture<Outcome> set(ExternalOverride override, boolean confirmed) {
        return gate.submit(() -> overrides.set(override, confirmed));
    }

    @Override
    public CompletableFuture<Outcome> remove(ExternalOverride.Key key, String who) {
        return gate.submit(() -> overrides.remove(key, who));
    }

    @Override
    public List<ExternalOverride> all() {
        return overrides.all();
    }

    @Override
    public Counts counts() {
        return overrides.counts();
    }
}
