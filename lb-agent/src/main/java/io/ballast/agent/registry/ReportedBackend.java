package io.ballast.agent.registry;

import io.ballast.core.Checks;
import io.ballast.core.backend.AgentReport;
import io.ballast.core.config.BackendConfig;

/**
 * A backend in the report of an agent.
 *
 * @param key the pool and the address
 * @param weight the weight without regard to the load, 0 to {@value BackendConfig#MAX_WEIGHT}
 * @param state up, down or drain
 * @param reason the reason for the state; at most {@value #MAX_REASON} characters in one line
 * @param weightTenths the share of the weight that the backend should get because of its load, in tenths, 1 to 10
 */
public record ReportedBackend(BackendKey key, int weight, AgentReport.State state, String reason, int weightTenths) {

    public static final int MAX_REASON = 200;

    public ReportedBackend {
        Checks.between(weight, 0, BackendConfig.MAX_WEIGHT, "weight");
        Checks.that(state != AgentReport.State.STALE, "state", state.label(), "up, down or drain");
        Checks.between(weightTenths, 1, 10, "weight_tenths");
        Checks.that(reason.length() <= MAX_REASON, "reason", reason.length() + " characters", "at most " + MAX_REASON);
    }
}
