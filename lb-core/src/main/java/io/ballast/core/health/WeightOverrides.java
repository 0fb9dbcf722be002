package io.ballast.core.health;

import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.backend.WeightOverride;
import io.ballast.core.control.ControlPlane;
import java.util.Optional;

/** The backend weights that operators have set. */
final class WeightOverrides extends OverrideKind<OverriddenBackend, WeightOverride> {

    private final HealthMonitor health;

    WeightOverrides(ControlPlane control, Runnable keep, HealthMonitor health) {
        super(control, keep);
        this.health = health;
    }

    @Override
    String nameOf(OverriddenBackend subject) {
        return subject.name();
    }

    @Override
    Optional<WeightOverride> of(OverriddenBackend subject) {
        return subject.backend().weightOverride();
    }

    @Override
    OverrideTerms terms(WeightOverride order) {
        return order.terms();
    }

    @Override
    String textOf(WeightOverride order) {
        return "override of the weight to " + order.weight() + " by "
                + order.terms().text();
    }

    @Override
    void begin(OverriddenBackend subject, WeightOverride order) {
        subject.backend().weightOverride(Optional.of(order));
        report(
                subject.name(),
                "weight " + order.weight() + ", set by " + order.terms().text());
        health.refresh(subject.pool());
    }

    @Override
    void end(OverriddenBackend subject, String who) {
        subject.backend().weightOverride(Optional.empty());
        report(subject.name(), "weight override removed by " + who);
        health.refresh(subject.pool());
    }

    @Override
    void clear(OverriddenBackend subject) {
        subject.backend().weightOverride(Optional.empty());
    }
}
