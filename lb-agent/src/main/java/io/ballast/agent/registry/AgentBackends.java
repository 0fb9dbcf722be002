package io.ballast.agent.registry;

import io.ballast.core.backend.AgentReport;
import java.util.List;
import java.util.Map;

/**
 * The backends of all agents. Immutable.
 *
 * @param pools the backends of each pool to which agents may add backends
 */
public record AgentBackends(Map<String, List<Entry>> pools) {

    public static final AgentBackends NONE = new AgentBackends(Map.of());

    public AgentBackends {
        pools = Map.copyOf(pools);
    }

    /**
     * A backend.
     *
     * @param weight the weight without regard to the load
     * @param report the report that applies
     */
    public record Entry(BackendKey key, int weight, AgentReport report) {}
}
