package io.ballast.core.config;

import io.ballast.core.Checks;
import java.util.Optional;

/**
 * One address that serves requests.
 *
 * @param address where it listens, as written in the file
 * @param weight its share relative to its peers, 0 to {@value #MAX_WEIGHT}; 0 takes no traffic but is checked
 * @param priority tier for the failover strategy; lower is preferred
 * @param backup whether it is used only when no other backend can serve, whatever the strategy
 * @param region where it is, for the geo strategy; absent if that is not said
 */
public record BackendConfig(Address address, int weight, int priority, boolean backup, Optional<String> region) {

    public static final int MAX_WEIGHT = 1000;
    public static final int DEFAULT_WEIGHT = 1;
    public static final int MAX_PRIORITY = 1000;
    public static final int DEFAULT_PRIORITY = 0;
    public static final boolean DEFAULT_BACKUP = false;

    public BackendConfig {
        Checks.between(weight, 0, MAX_WEIGHT, "weight");
        Checks.between(priority, 0, MAX_PRIORITY, "priority");
    }

    /** One that is no backup and in no region. */
    public BackendConfig(Address address, int weight, int priority) {
        this(address, weight, priority, DEFAULT_BACKUP, /* region= */ Optional.empty());
    }
}
