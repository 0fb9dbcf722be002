package io.ballast.core.backend;

import io.ballast.core.Checks;
import io.ballast.core.config.BackendConfig;

/**
 * The weight that an operator has given a backend, in place of that of the file, until it is taken back.
 *
 * @param weight 0 to {@value BackendConfig#MAX_WEIGHT}; with 0 it gets no traffic, and is checked all the same
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
