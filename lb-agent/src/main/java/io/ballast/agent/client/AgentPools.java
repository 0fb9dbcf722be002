package io.ballast.agent.client;

import io.ballast.agent.config.AgentConfig;
import io.ballast.agent.config.RegisteredBackend;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.PoolConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The backends of an agent as pools, since checks are configured for each pool. Stateless. */
public final class AgentPools {

    private AgentPools() {}

    /** Returns a pool for each backend, in the order of the configuration. */
    public static Map<String, PoolConfig> of(AgentConfig config) {
        Map<String, PoolConfig> all = new LinkedHashMap<>();
        for (RegisteredBackend each : config.register()) {
            String name = each.pool();
            for (int copy = 2; all.containsKey(name); copy++) {
                name = each.pool() + "-" + copy;
            }
            all.put(
                    name,
                    PoolConfig.builder(name)
                            .backends(List.of(new BackendConfig(
                                    each.address(), BackendConfig.DEFAULT_WEIGHT, BackendConfig.DEFAULT_PRIORITY)))
                            .health(each.health())
                            .build());
        }
        return all;
    }
}
