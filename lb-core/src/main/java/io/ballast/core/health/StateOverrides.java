package io.ballast.core.health;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.backend.StateOverride;
import io.ballast.core.control.ControlPlane;
import java.util.Optional;
import java.util.function.Consumer;

/** Overrides of the state of backends, and the deadlines of drains. */
final class StateOverrides extends OverrideKind<OverriddenBackend, StateOverride> {

    private final HealthMonitor health;
    private final Consumer<Backend> retire;
    private final OverrideExpiries<Backend> cuts;

    /** @param retire cuts tunnels and sessions that lead to a backend */
    StateOverrides(ControlPlane control, Runnable keep, HealthMonitor health, Consumer<Backend> retire) {
        super(control, keep);
        this.health = health;
        this.retire = retire;
        this.cuts = new OverrideExpiries<>(control);
    }

    @Override
    String nameOf(OverriddenBackend subject) {
        return subject.name();
    }

    @Override
    Optional<StateOverride> of(OverriddenBackend subject) {
        return subject.backend().order();
    }

    @Override
    OverrideTerms terms(StateOverride order) {
        return order.terms();
    }

    @Override
    String textOf(StateOverride order) {
        return "override to be " + order.kind().state().label() + " by " + order.text();
    }

    @Override
    void begin(OverriddenBackend subject, StateOverride order) {
        Backend backend = subject.backend();
        health.order(backend, order);
        cuts.remove(backend);
        if (order.deadline().isPresent()) {
            OverrideTerms terms = new OverrideTerms(order.who(), order.why(), order.since(), order.deadline());
            cuts.add(backend, terms, () -> cut(backend));
        }
    }

    private void cut(Backend backend) {
        cuts.remove(backend);
        tell(backend.toString(), "the deadline of its drain has passed: tunnels and sessions are cut");
        retire.accept(backend);
    }

    @Override
    void end(OverriddenBackend subject, String who) {
        cuts.remove(subject.backend());
        health.enable(subject.backend(), who);
    }

    @Override
    void clear(OverriddenBackend subject) {
        subject.backend().order(Optional.empty());
        cuts.remove(subject.backend());
    }
}
