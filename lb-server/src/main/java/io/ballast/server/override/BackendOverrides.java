package io.ballast.server.override;

import io.ballast.core.health.ActiveExternalOverrides;
import io.ballast.core.health.OperatorOverrides;

/** The active overrides of operators and of external sources. */
public record BackendOverrides(OperatorOverrides operator, ActiveExternalOverrides external) {

    /** Drops overrides of removed backends. Called on the control plane's thread after a topology was activated. */
    public void dropRemoved() {
        operator.dropRemoved();
        external.dropRemoved();
    }
}
