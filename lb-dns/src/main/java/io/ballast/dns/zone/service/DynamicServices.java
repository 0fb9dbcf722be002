package io.ballast.dns.zone.service;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.pool.PoolWatcher;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The services of a pool whose answers can change while the set of members that take traffic stays the same.
 * Their records depend on the duration of checks, or their TTL depends on how soon a check can change the
 * answers. Thread safety: confined to the control plane.
 */
public final class DynamicServices implements PoolWatcher {

    private final List<Service> services;
    private final Runnable compile;
    private final boolean comparesTimes;
    private final Map<Backend, Duration> stableFor = new HashMap<>();

    /** @param compile callback that compiles services with outdated answers */
    public DynamicServices(List<Service> services, Runnable compile) {
        this.services = services;
        this.compile = compile;
        this.comparesTimes = services.stream().anyMatch(Service::comparesTimes);
    }

    @Override
    public boolean onCheck(Backend backend, HealthStatus.LastCheck check) {
        services.forEach(service -> service.recordCheck(backend, check)); // stores the check time; compiles no answers
        Duration before = stableFor.put(backend, backend.minStableTime());
        return comparesTimes || !backend.minStableTime().equals(before);
    }

    @Override
    public void evaluateChecks() {
        compile.run();
    }
}
