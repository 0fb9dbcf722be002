package io.ballast.server.check;

import io.ballast.config.BallastConfig;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.PoolConfig;

/**
 * Whether health checks may run programs: said by whoever starts the process, never by a file, so that who may write a
 * configuration, or have it reloaded, may not run what they like. Thread safety: given before anything starts, read by anyone.
 */
public final class ExecPermission {

    private static volatile boolean given;

    private ExecPermission() {}

    /** Gives it, for as long as this process lives. */
    public static void give() {
        given = true;
    }

    /**
     * Refuses a configuration with a check that may not be run.
     *
     * @throws IllegalStateException if there is one; the message says where
     */
    public static void require(BallastConfig config) {
        require(config, given);
    }

    static void require(BallastConfig config, boolean permitted) {
        for (PoolConfig pool : config.pools().values()) {
            if (!permitted && pool.health().check() instanceof HealthCheck.Exec) {
                throw new IllegalStateException("pools." + pool.name()
                        + ".health.type: exec (expected: another type, or a start by lb run --allow-exec)");
            }
        }
    }
}
