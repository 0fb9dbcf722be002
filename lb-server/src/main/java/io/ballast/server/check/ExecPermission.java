package io.ballast.server.check;

import io.ballast.agent.config.AgentConfig;
import io.ballast.config.BallastConfig;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.PoolConfig;

/**
 * The permission for health checks to run programs. It is given on the command line and never in a file, so that a user
 * who may change or reload the configuration cannot run programs. Thread safety: set before any other thread starts;
 * any thread may read it.
 */
public final class ExecPermission {

    private static volatile boolean granted;

    private ExecPermission() {}

    /** Grants the permission for the lifetime of this process. */
    public static void grant() {
        granted = true;
    }

    /**
     * Rejects a configuration that contains a check without the permission to run it.
     *
     * @throws IllegalStateException if there is such a check; the message names its location
     */
    public static void require(BallastConfig config) {
        require(config, granted);
    }

    /** Rejects the file of an agent like {@link #require(BallastConfig)}. */
    public static void require(AgentConfig config) {
        for (int i = 0; i < config.register().size(); i++) {
            if (!granted && config.register().get(i).health().check() instanceof HealthCheck.Exec) {
                throw new IllegalStateException("register[" + i
                        + "].health.type: exec (expected: another type, or start with lb agent --allow-exec)");
            }
        }
    }

    static void require(BallastConfig config, boolean permitted) {
        for (PoolConfig pool : config.pools().values()) {
            if (!permitted && pool.health().check() instanceof HealthCheck.Exec) {
                throw new IllegalStateException("pools." + pool.name()
                        + ".health.type: exec (expected: another type, or start with lb run --allow-exec)");
            }
        }
    }
}
