package io.ballast.core.health;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.Order;
import io.ballast.core.backend.OrderTerms;
import io.ballast.core.control.ControlPlane;
import java.util.Optional;
import java.util.function.Consumer;

/** Overrides of the state of backends, and the deadlines of drains. */
final class StateOrders extends OrderKind<OrderedBackend, Order> {

    private final HealthMonitor health;
    private final Consumer<Backend> retire;
    private final OrderEnds<Backend> cuts;

    /** @param retire cuts tunnels and sessions that lead to a backend */
    StateOrders(ControlPlane control, Runnable keep, HealthMonitor health, Consumer<Backend> retire) {
        super(control, keep);
        this.health = health;
        this.retire = retire;
        this.cuts = new OrderEnds<>(control);
    }

    @Override
    String nameOf(OrderedBackend subject) {
        return subject.name();
    }

    @Override
    Optional<Order> of(OrderedBackend subject) {
        return subject.backend().order();
    }

    @Override
    OrderTerms terms(Order order) {
        return order.terms();
    }

    @Override
    String textOf(Order order) {
        return "order to be " + order.kind().state().label() + " by " + order.text();
    }

    @Override
    void begin(OrderedBackend subject, Order order) {
        Backend backend = subject.backend();
        health.order(backend, order);
        cuts.remove(backend);
        if (order.deadline().isPresent()) {
            OrderTerms terms = new OrderTerms(order.who(), order.why(), order.since(), order.deadline());
            cuts.add(backend, terms, () -> cut(backend));
        }
    }

    private void cut(Backend backend) {
        cuts.remove(backend);
        tell(backend.toString(), "the deadline of its drain is over: tunnels and sessions are cut");
        retire.accept(backend);
    }

    @Override
    void end(OrderedBackend subject, String who) {
        cuts.remove(subject.backend());
        health.enable(subject.backend(), who);
    }

    @Override
    void clear(OrderedBackend subject) {
        subject.backend().order(Optional.empty());
        cuts.remove(subject.backend());
    }
}
