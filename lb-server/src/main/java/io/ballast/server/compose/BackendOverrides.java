package io.ballast.server.compose;

import io.ballast.core.health.ActiveExternalOverrides;
import io.ballast.core.health.OperatorOverrides;

/** The active overrides of operators and of external sources. */
record BackendOverrides(OperatorOverrides operator, ActiveExternalOverrides external) {

    /** Drops overrides of removed backends. Called on the control plane's thread after a topology was activated. */
    void dropRemoved() {
        operator.dropRemoved();
        external.dropRemoved();
    }
}
