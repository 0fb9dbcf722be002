package io.ballast.core.health;

import io.ballast.core.backend.OrderTerms;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.pool.Pool;
import java.util.Optional;

/** The pools that operators have put under maintenance. */
final class MaintenanceOrders extends OrderKind<Pool, OrderTerms> {

    private final HealthMonitor health;

    MaintenanceOrders(ControlPlane control, Runnable keep, HealthMonitor health) {
        super(control, keep);
        this.health = health;
    }

    @Override
    Optional<OrderTerms> of(Pool pool) {
        return pool.maintenance();
    }

    @Override
    OrderTerms terms(OrderTerms order) {
        return order;
    }

    @Override
    String textOf(OrderTerms order) {
        return "order of maintenance by " + order.text();
    }

    @Override
    String nameOf(Pool pool) {
        return pool.name();
    }

    @Override
    void begin(Pool pool, OrderTerms order) {
        pool.maintenance(Optional.of(order));
        tell(pool.name(), "under maintenance by order of " + order.text());
        health.refresh(pool);
    }

    @Override
    void end(Pool pool, String who) {
        pool.maintenance(Optional.empty());
        tell(pool.name(), "no longer under maintenance, by " + who);
        health.refresh(pool);
    }

    @Override
    void clear(Pool pool) {
        pool.maintenance(Optional.empty());
    }
}
