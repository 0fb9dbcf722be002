package io.ballast.agent.config;

import io.ballast.core.Checks;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.HealthConfig;
import io.ballast.core.config.HostPort;
import java.util.Optional;

/**
 * A backend that an agent registers.
 *
 * @param pool the pool of the nodes
 * @param address the IP address and port to which the nodes forward
 * @param weight the weight without regard to the load
 * @param health how the agent checks the backend
 * @param drain when the weight is reduced because of the load; absent for never
 */
public record RegisteredBackend(
        String pool, HostPort address, int weight, HealthConfig health, Optional<LoadDrainConfig> drain) {

    public RegisteredBackend {
        Checks.between(weight, 0, BackendConfig.MAX_WEIGHT, "weight");
    }
}
