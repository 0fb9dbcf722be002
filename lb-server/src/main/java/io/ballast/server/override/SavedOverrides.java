package io.ballast.server.override;

import io.ballast.core.backend.ExternalOverride;
import io.ballast.core.health.OverrideSnapshot;
import java.util.List;

/** All overrides that are preserved across restarts. Immutable. */
record SavedOverrides(OverrideSnapshot operators, List<ExternalOverride> external) {

    static final SavedOverrides EMPTY = new SavedOverrides(OverrideSnapshot.EMPTY, List.of());

    SavedOverrides {
        external = List.copyOf(external);
    }

    boolean isEmpty() {
        return operators.isEmpty() && external.isEmpty();
    }
}
