package io.ballast.core.backend;

import io.ballast.core.Checks;
import io.ballast.core.config.BackendConfig;

/**
 * An operator's override of a backend's weight. It replaces the weight in the file until it is removed.
 *
 * @param weight 0 to {@value BackendConfig#MAX_WEIGHT}; with 0 the backend gets no traffic but is still
 *     checked
 */
public record WeightOverride(int weight, OverrideTerms terms) {

    public WeightOverride {
        Checks.between(weight, 0, BackendConfig.MAX_WEIGHT, "weight");
    }

    /** Describes the override: "weight 5 by ann: new kernel". */
    public String text() {
        return "weight " + weight + " by " + terms.text();
    }
}
