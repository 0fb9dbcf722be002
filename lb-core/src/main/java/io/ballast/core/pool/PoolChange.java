package io.ballast.core.pool;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.balance.Member;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.PoolConfig;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The changes that a reload makes to a pool that remains in the configuration.
 *
 * @param config the next configuration
 * @param members the next members, in the order of the configuration
 * @param joining the new members
 * @param leaving the removed members
 * @param moves the changed addresses of remaining members
 */
record PoolChange(
        Pool pool,
        PoolConfig config,
        List<Member> members,
        List<Backend> joining,
        List<Backend> leaving,
        List<AddressMove> moves) {

    boolean isEmpty() {
        return config.equals(pool.config()) && moves.isEmpty();
    }

    /**
     * Returns the backends that stay in the pool but need new connections, because their address or the pool's
     * connection settings have changed.
     */
    Collection<Backend> reconnecting() {
        boolean otherwise = !config.connections().equals(pool.config().connections())
                || !config.tls().equals(pool.config().tls());
        if (!otherwise) {
            return moves.stream().map(AddressMove::backend).toList();
        }
        Set<Backend> staying = new LinkedHashSet<>();
        members.forEach(member -> staying.add(member.backend()));
        joining.forEach(staying::remove);
        return staying;
    }

    /** Whether a snapshot reflects the current health and weights. */
    boolean isCurrent(PoolSnapshot compiled) {
        return compiled.isCurrent(pool.maintenance().isPresent());
    }

    /** Compiles a snapshot of the next members with their current health. */
    PoolSnapshot compile() {
        return pool.setup()
                .withConfig(config, members)
                .compile(pool.maintenance().isPresent());
    }

    /** @param generation the generation of the previous topology */
    void commit(PoolSnapshot compiled, int generation, Instant now) {
        for (Backend backend : leaving) {
            backend.health(new HealthStatus(
                    BackendState.DRAINING,
                    now,
                    HealthStatus.Origin.FILE,
                    "no longer in the configuration",
                    backend.health().lastCheck()));
        }
        moves.forEach(move -> move.commit(config.health(), now));
        if (config.health().check() instanceof HealthCheck.None) {
            members.forEach(member -> markUpIfUnchecked(member.backend(), now));
        }
        int max = config.connections().inFlightLimit();
        for (Member member : members) {
            member.backend().inFlight().limit(max);
            member.backend().secured(config.tls().isPresent());
        }
        pool.adopt(compiled, generation);
    }

    /**
     * Marks a backend without checks up if it is down or unknown, because no check would change its state. The
     * backend must be resolved and have no override, and no agent may report it.
     */
    private static void markUpIfUnchecked(Backend backend, Instant now) {
        BackendState state = backend.health().state();
        boolean hasVerdict = state == BackendState.DOWN || state == BackendState.UNKNOWN;
        if (hasVerdict
                && backend.isResolved()
                && !backend.isStateOverridden()
                && backend.agentReport().isEmpty()) {
            backend.health(new HealthStatus(
                    BackendState.UP,
                    now,
                    HealthStatus.Origin.FILE,
                    "no longer checked: checks are off in the configuration",
                    HealthStatus.LastCheck.NONE));
        }
    }
}
