package io.ballast.agent.registry;

import io.ballast.core.backend.AgentReport;
import io.ballast.core.backend.Backend;
import io.ballast.core.config.agent.PoolAgents;
import io.ballast.dashboard.source.AgentDirectory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Describes the agents of a table for the pools, for operators and for metrics. */
final class AgentViews {

    private final AgentTable agents;
    private final Map<String, PoolAgents> pools;

    AgentViews(AgentTable agents, Map<String, PoolAgents> pools) {
        this.agents = agents;
        this.pools = pools;
    }

    /** Returns the backends that have joined their pools. */
    AgentBackends backends() {
        Map<String, List<AgentBackends.Entry>> all = new HashMap<>();
        pools.keySet().forEach(pool -> all.put(pool, new ArrayList<>()));
        Map<BackendKey, Integer> shares = grantedShares();
        for (AgentEntry entry : agents.all()) {
            for (ReportedBackend each : entry.backends().values()) {
                List<AgentBackends.Entry> pool = all.get(each.key().pool());
                if (pool != null && entry.hasJoined(each.key())) {
                    pool.add(new AgentBackends.Entry(each.key(), each.weight(), report(entry, each, shares)));
                }
            }
        }
        return new AgentBackends(all);
    }

    private static AgentReport report(AgentEntry entry, ReportedBackend backend, Map<BackendKey, Integer> shares) {
        return new AgentReport(
                entry.identity().id(),
                entry.isStale() ? AgentReport.State.STALE : backend.state(),
                entry.isStale() ? "no report" : backend.reason(),
                shares.getOrDefault(backend.key(), Backend.ALL_TENTHS));
    }

    /** Returns the backends whose weight is reduced, each with the granted share of its weight in tenths. */
    private Map<BackendKey, Integer> grantedShares() {
        Map<String, List<DrainBudget.Candidate>> candidates = new HashMap<>();
        for (AgentEntry entry : agents.all()) {
            for (ReportedBackend each : entry.backends().values()) {
                if (!entry.isStale() && each.state() == AgentReport.State.UP) {
                    candidates
                            .computeIfAbsent(each.key().pool(), pool -> new ArrayList<>())
                            .add(new DrainBudget.Candidate(
                                    each.key(), each.weightTenths(), entry.reducedSince(each.key())));
                }
            }
        }
        Map<BackendKey, Integer> granted = new HashMap<>();
        candidates.forEach((pool, all) -> Optional.ofNullable(pools.get(pool))
                .ifPresent(settings -> granted.putAll(DrainBudget.grant(all, settings.maxDrainedPercent()))));
        return granted;
    }

    /** Returns all agents in the order of their ids. */
    List<AgentDirectory.Agent> list() {
        Map<BackendKey, Integer> shares = grantedShares();
        return agents.all().stream()
                .map(entry -> view(entry, shares))
                .sorted(Comparator.comparing(AgentDirectory.Agent::id))
                .toList();
    }

    /** Returns one agent. */
    Optional<AgentDirectory.Agent> find(String id) {
        return Optional.ofNullable(agents.find(id)).map(entry -> view(entry, grantedShares()));
    }

    private static AgentDirectory.Agent view(AgentEntry entry, Map<BackendKey, Integer> shares) {
        AgentIdentity identity = entry.identity();
        return new AgentDirectory.Agent(
                identity.id(),
                identity.status(),
                identity.token(),
                identity.pools(),
                identity.pendingPools(),
                entry.client(),
                identity.created(),
                Optional.ofNullable(entry.lastReport()),
                entry.isStale(),
                entry.backends().values().stream()
                        .map(each -> new AgentDirectory.Backend(
                                each.key().pool(),
                                each.key().address().toString(),
                                each.state().label(),
                                each.reason(),
                                each.weight(),
                                10 * each.weightTenths(),
                                10 * shares.getOrDefault(each.key(), Backend.ALL_TENTHS)))
                        .toList(),
                /* isCommitted= */ true);
    }

    /** Returns the number of agents that are not revoked and used this token for their latest registration. */
    int countByToken(String name) {
        return (int) agents.all().stream()
                .map(AgentEntry::identity)
                .filter(identity -> !identity.isRevoked() && identity.token().equals(name))
                .count();
    }

    AgentDirectory.Counts counts(long reports, long refused, long latencies) {
        int stale = 0;
        int pending = 0;
        int active = 0;
        for (AgentEntry entry : agents.all()) {
            if (entry.identity().isRevoked()) {
                continue;
            }
            pending += entry.identity().pendingPools().isEmpty() ? 0 : 1;
            stale += entry.isStale() ? 1 : 0;
            active += entry.isStale() ? 0 : 1;
        }
        return new AgentDirectory.Counts(
                active, stale, pending, agents.backendCount(), grantedShares().size(), reports, refused, latencies);
    }
}
