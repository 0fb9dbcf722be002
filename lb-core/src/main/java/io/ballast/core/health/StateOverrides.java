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
    private final Consumer<Backend> closeConnections;
    private final OverrideExpiries<Backend> drainDeadlines;

    /** @param retire closes the tunnels and sessions of a backend */
    StateOverrides(ControlPlane control, Runnable keep, HealthMonitor health, Consumer<Backend> retire) {
        super(control, keep);
        this.health = health;
        this.closeConnections = retire;
        this.drainDeadlines = new OverrideExpiries<>(control);
    }

    @Override
    String nameOf(OverriddenBackend subject) {
        return subject.name();
    }

    @Override
    Optional<StateOverride> of(OverriddenBackend subject) {
        return subject.backend().stateOverride();
    }

    @Override
    OverrideTerms terms(StateOverride order) {
        return order.terms();
    }

    @Override
    String textOf(StateOverride order) {
        return "override of the state to " + order.kind().state().label() + " by " + order.text();
    }

    @Override
    void begin(OverriddenBackend subject, StateOverride order) {
        Backend backend = subject.backend();
        health.applyOverride(backend, order);
        drainDeadlines.remove(backend);
        if (order.deadline().isPresent()) {
            OverrideTerms terms = new OverrideTerms(order.author(), order.reason(), order.since(), order.deadline());
            drainDeadlines.add(backend, terms, () -> onDrainDeadline(backend));
        }
    }

    private void onDrainDeadline(Backend backend) {
        drainDeadlines.remove(backend);
        report(backend.toString(), "the drain deadline has passed; the backend's tunnels and sessions are closed");
        closeConnections.accept(backend);
    }

    @Override
    void end(OverriddenBackend subject, String who) {
        drainDeadlines.remove(subject.backend());
        health.enable(subject.backend(), who);
    }

    @Override
    void clear(OverriddenBackend subject) {
        subject.backend().stateOverride(Optional.empty());
        drainDeadlines.remove(subject.backend());
    }
}
