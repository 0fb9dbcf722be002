package io.ballast.core.health;

import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.pool.Pool;
import java.util.Optional;

/** The pools that operators have put under maintenance. */
final class MaintenanceOverrides extends OverrideKind<Pool, OverrideTerms> {

    private final HealthMonitor health;

    MaintenanceOverrides(ControlPlane control, Runnable keep, HealthMonitor health) {
        super(control, keep);
        this.health = health;
    }

    @Override
    Optional<OverrideTerms> of(Pool pool) {
        return pool.maintenance();
    }

    @Override
    OverrideTerms terms(OverrideTerms order) {
        return order;
    }

    @Override
    String textOf(OverrideTerms order) {
        return "maintenance override by " + order.text();
    }

    @Override
    String nameOf(Pool pool) {
        return pool.name();
    }

    @Override
    void begin(Pool pool, OverrideTerms order) {
        pool.maintenance(Optional.of(order));
        report(pool.name(), "put under maintenance by " + order.text());
        health.refresh(pool);
    }

    @Override
    void end(Pool pool, String who) {
        pool.maintenance(Optional.empty());
        report(pool.name(), "maintenance ended by " + who);
        health.refresh(pool);
    }

    @Override
    void clear(Pool pool) {
        pool.maintenance(Optional.empty());
    }
}
