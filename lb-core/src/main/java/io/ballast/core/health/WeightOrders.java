package io.ballast.core.health;

import io.ballast.core.backend.OrderTerms;
import io.ballast.core.backend.WeightOrder;
import io.ballast.core.control.ControlPlane;
import java.util.Optional;

/** The weights that operators have given backends. */
final class WeightOrders extends OrderKind<OrderedBackend, WeightOrder> {

    private final HealthMonitor health;

    WeightOrders(ControlPlane control, Runnable keep, HealthMonitor health) {
        super(control, keep);
        this.health = health;
    }

    @Override
    String nameOf(OrderedBackend subject) {
        return subject.name();
    }

    @Override
    Optional<WeightOrder> of(OrderedBackend subject) {
        return subject.backend().weightOrder();
    }

    @Override
    OrderTerms terms(WeightOrder order) {
        return order.terms();
    }

    @Override
    String textOf(WeightOrder order) {
        return "order to weigh " + order.weight() + " by " + order.terms().text();
    }

    @Override
    void begin(OrderedBackend subject, WeightOrder order) {
        subject.backend().weightOrder(Optional.of(order));
        tell(
                subject.name(),
                "weighs " + order.weight() + " by order of " + order.terms().text());
        health.refresh(subject.pool());
    }

    @Override
    void end(OrderedBackend subject, String who) {
        subject.backend().weightOrder(Optional.empty());
        tell(subject.name(), "weighs what the file says again by " + who);
        health.refresh(subject.pool());
    }

    @Override
    void clear(OrderedBackend subject) {
        subject.backend().weightOrder(Optional.empty());
    }
}
