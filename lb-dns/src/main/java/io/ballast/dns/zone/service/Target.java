package io.ballast.dns.zone.service;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.HealthStatus;
import io.ballast.dns.config.zone.TargetConfig.Thresholds;
import io.ballast.dns.explain.ExplainedTarget;
import io.ballast.dns.zone.pool.PoolView;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The source of a service's addresses for one address family: a pool, or a choice among targets.
 *
 * <p>Thread safety: confined to the executor that compiles services. A target exists as long as its
 * service, so that the state of a choice (a rotation position, average response times) survives health
 * changes.
 */
abstract class Target {

    private final Thresholds thresholds;
    private CompiledTarget lastCompiled = CompiledTarget.nothing(0);

    Target(Thresholds thresholds) {
        this.thresholds = thresholds;
    }

    final int weight() {
        return thresholds.weight();
    }

    /** Compiles the answers of the target for the current state, with the given TTL. */
    final CompiledTarget compile(PoolView view, int ttlSeconds) {
        lastCompiled = compileNow(view, ttlSeconds);
        return lastCompiled;
    }

    abstract CompiledTarget compileNow(PoolView view, int ttlSeconds);

    /** Returns the result of the last compilation, which is in use. */
    final CompiledTarget lastCompiled() {
        return lastCompiled;
    }

    /**
     * Explains the result of the last compilation of this target.
     *
     * @param role the target's role in the enclosing target
     * @param used whether the target may answer the client
     */
    abstract ExplainedTarget explain(String role, boolean used, ExplainedClient client, PoolView view);

    /** Returns a plain-text description of the target's state. */
    final String state() {
        if (!lastCompiled.hasAnswer()) {
            return "down: none of " + lastCompiled.total() + " healthy";
        }
        String share = lastCompiled.healthy() + " of " + lastCompiled.total() + " healthy";
        return isUp(lastCompiled)
                ? "up: " + share
                : "skipped: " + share + ", less than " + thresholds.minHealthyPercent() + "%";
    }

    /** Processes a check result of a backend. */
    void recordCheck(Backend backend, HealthStatus.LastCheck check) {}

    /** Whether a new compilation would give a different result, although the same backends still take traffic. */
    boolean isStale(PoolView view) {
        return false;
    }

    /** Whether the target has an answer and enough healthy addresses to be preferred over unhealthy targets. */
    final boolean isUp(CompiledTarget own) {
        return own.hasAnswer() && own.healthy() * 100L >= (long) own.total() * thresholds.minHealthyPercent();
    }

    /**
     * Returns the indexes of the healthy targets; if no target is healthy, returns the indexes of the targets that have
     * an answer.
     */
    static int[] eligible(List<Target> targets, List<CompiledTarget> each) {
        int[] up = IntStream.range(0, each.size())
                .filter(i -> targets.get(i).isUp(each.get(i)))
                .toArray();
        return up.length > 0
                ? up
                : IntStream.range(0, each.size())
                        .filter(i -> each.get(i).hasAnswer())
                        .toArray();
    }
}
