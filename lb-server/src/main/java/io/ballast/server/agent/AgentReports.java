package io.ballast.server.agent;

import io.ballast.agent.registry.AgentBackends;
import io.ballast.agent.registry.BackendKey;
import io.ballast.core.backend.AgentReport;
import io.ballast.core.backend.Backend;
import io.ballast.core.balance.Member;
import io.ballast.core.config.HostPort;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.health.HealthMonitor;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.Topology;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Applies the reports from agents to the backends of the topology. Confined to the control plane's thread.
 *
 * <p>A backend that is no longer reported is drained at once. The change of the topology that removes it takes up to a
 * second longer. If the configuration file or another source has the backend too, it stays, and serves again.
 */
final class AgentReports {

    /** If a backend that agents no longer report is still in its pool after this time, another source provides it. */
    static final Duration REMOVAL_TIME = Duration.ofSeconds(10);

    private final ControlPlane control;
    private final Supplier<HealthMonitor> health;
    private final Supplier<Topology> topology;
    private final BooleanSupplier isRemovalRefused;
    private Map<BackendKey, AgentReport> reports = Map.of();

    /** @param isRemovalRefused whether backends that should be removed are still in their pools */
    AgentReports(
            ControlPlane control,
            Supplier<HealthMonitor> health,
            Supplier<Topology> topology,
            BooleanSupplier isRemovalRefused) {
        this.isRemovalRefused = isRemovalRefused;
        this.control = control;
        this.health = health;
        this.topology = topology;
    }

    /** Replaces all reports. */
    void replace(AgentBackends backends) {
        Map<BackendKey, AgentReport> next = new HashMap<>();
        backends.pools().values().forEach(pool -> pool.forEach(entry -> next.put(entry.key(), entry.report())));
        Map<BackendKey, AgentReport> before = reports;
        reports = next;
        Map<BackendKey, AgentReport> changed = new LinkedHashMap<>();
        next.forEach((key, report) -> {
            if (!report.equals(before.get(key))) {
                changed.put(key, report);
            }
        });
        boolean hasRemoved = false;
        for (Map.Entry<BackendKey, AgentReport> each : before.entrySet()) {
            if (!next.containsKey(each.getKey())) {
                changed.put(each.getKey(), removed(each.getValue()));
                hasRemoved = true;
            }
        }
        if (!changed.isEmpty()) {
            apply(changed);
        }
        if (hasRemoved) {
            control.schedule(this::releaseRemaining, REMOVAL_TIME);
        }
    }

    private static AgentReport removed(AgentReport last) {
        return new AgentReport(
                last.agent(), AgentReport.State.DRAIN, "it does not report this backend any more", last.weightTenths());
    }

    /** Applies the reports to backends that are new in the topology. */
    void topologyChanged() {
        if (!reports.isEmpty()) {
            apply(reports);
        }
    }

    private void apply(Map<BackendKey, AgentReport> all) {
        Map<BackendKey, Backend> backends = index(topology.get());
        all.forEach((key, report) -> {
            Backend backend = backends.get(key);
            if (backend != null) {
                health.get().applyReport(backend, Optional.of(report));
            }
        });
    }

    /** Ends the drain of backends that agents no longer report, but that another source still provides. */
    private void releaseRemaining() {
        if (isRemovalRefused.getAsBoolean()) {
            control.schedule(this::releaseRemaining, REMOVAL_TIME);
            return;
        }
        index(topology.get()).forEach((key, backend) -> {
            if (!reports.containsKey(key) && backend.agentReport().isPresent()) {
                health.get().applyReport(backend, Optional.empty());
            }
        });
    }

    /** Returns the backends of all pools to which agents may have added backends. */
    static Map<BackendKey, Backend> index(Topology topology) {
        Map<BackendKey, Backend> all = new HashMap<>();
        for (Pool pool : topology.poolList()) {
            for (Member member : pool.members()) {
                if (member.backend().address() instanceof HostPort address) {
                    all.put(new BackendKey(pool.name(), address), member.backend());
                }
            }
        }
        return all;
    }
}
