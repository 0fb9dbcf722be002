package io.ballast.agent.registry;

import io.ballast.agent.config.AgentsConfig;
import java.util.List;
import java.util.function.Predicate;

/**
 * Finds agents that have not reported for too long: first their reports no longer count, then their backends are
 * removed, unless the checks of this node succeed. Confined to the thread of the registry.
 */
final class SilentAgents {

    private final AgentsConfig config;
    private final AgentTable agents;
    private final Predicate<BackendKey> checksSucceed;
    private final RegistryListener listener;

    SilentAgents(
            AgentsConfig config, AgentTable agents, Predicate<BackendKey> checksSucceed, RegistryListener listener) {
        this.config = config;
        this.agents = agents;
        this.checksSucceed = checksSucceed;
        this.listener = listener;
    }

    /** Returns whether a backend has changed. */
    boolean tick(long nowNanos) {
        boolean changed = false;
        for (AgentEntry entry : agents.all()) {
            long age = nowNanos - entry.lastNanos();
            if (entry.backends().isEmpty() || age <= config.stale().toNanos()) {
                continue;
            }
            if (!entry.isStale()) {
                entry.markStale();
                changed = true;
                listener.onEvent(
                        "agent " + entry.identity().id(),
                        "has not reported for " + config.stale().toSeconds() + " s; the checks of this node decide");
            }
            if (age > config.forget().toNanos()) {
                changed |= forget(entry);
            }
        }
        return changed;
    }

    private boolean forget(AgentEntry entry) {
        boolean removed = false;
        for (BackendKey each : List.copyOf(entry.backends().keySet())) {
            if (!checksSucceed.test(each)) {
                agents.remove(entry, each);
                removed = true;
                listener.onEvent(
                        each.toString(),
                        "removed: agent " + entry.identity().id() + " has not reported for "
                                + config.forget().toSeconds() + " s");
            }
        }
        return removed;
    }
}
