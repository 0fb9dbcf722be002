package io.ballast.core.config;

import io.ballast.core.Checks;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One address that serves requests.
 *
 * @param address the address in the notation of configuration files
 * @param weight its share relative to the other backends, 0 to {@value #MAX_WEIGHT}; with 0 it gets no
 *     traffic but is still checked
 * @param priority tier for the failover strategy; lower is preferred
 * @param backup whether it is used only when no other backend can serve, with any strategy
 * @param region its region for the geo strategy, if configured
 * @param healthPort the port for its checks, 1 to 65535; if absent, the port of its pool's checks is used
 */
public record BackendConfig(
        Address address, int weight, int priority, boolean backup, Optional<String> region, OptionalInt healthPort) {

    public static final int MAX_WEIGHT = 1000;
    public static final int DEFAULT_WEIGHT = 1;
    public static final int MAX_PRIORITY = 1000;
    public static final int DEFAULT_PRIORITY = 0;
    public static final boolean DEFAULT_BACKUP = false;

    public BackendConfig {
        Checks.between(weight, 0, MAX_WEIGHT, "weight");
        Checks.between(priority, 0, MAX_PRIORITY, "priority");
        if (healthPort.isPresent()) {
            Checks.between(healthPort.getAsInt(), 1, 65535, "health_port");
            Checks.that(
                    address instanceof HostPort,
                    "health_port",
                    healthPort.getAsInt(),
                    "no health_port with a Unix socket, because checks use the socket itself");
        }
    }

    /** Creates a backend that uses the check address of its pool. */
    public BackendConfig(Address address, int weight, int priority, boolean backup, Optional<String> region) {
        this(address, weight, priority, backup, region, /* healthPort= */ OptionalInt.empty());
    }

    /** Creates a backend that is not a backup and has no region. */
    public BackendConfig(Address address, int weight, int priority) {
        this(address, weight, priority, DEFAULT_BACKUP, /* region= */ Optional.empty());
    }

    /** Returns a copy with this weight and this backup role. */
    public BackendConfig with(int otherWeight, boolean otherBackup) {
        return new BackendConfig(address, otherWeight, priority, otherBackup, region, healthPort);
    }
}
