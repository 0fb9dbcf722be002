package io.ballast.core.health;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.ExternalOverride;
import io.ballast.core.backend.ExternalOverrideSet;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.control.ControlPlane;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The overrides of external sources. The subject is a backend together with a source. The override is stored in its
 * {@link Backend}.
 */
final class SourceOverrides extends OverrideKind<SourceOverrides.Subject, ExternalOverride> {

    static final String EXPIRED = "it has expired";

    private final HealthMonitor health;
    private final Runnable onExpiry;
    private final Map<Subject, ExternalOverride> active = new LinkedHashMap<>();

    /** A backend, and a source that overrides it. */
    record Subject(OverriddenBackend target, String source) {

        Backend backend() {
            return target.backend();
        }
    }

    /**
     * @param keep saves the overrides; called when an override has ended
     * @param onExpiry called for each override that expires
     */
    SourceOverrides(ControlPlane control, Runnable keep, HealthMonitor health, Runnable onExpiry) {
        super(control, keep);
        this.health = health;
        this.onExpiry = onExpiry;
    }

    /** Returns the active overrides in the order of creation. */
    List<ExternalOverride> active() {
        return List.copyOf(active.values());
    }

    @Override
    Origin origin() {
        return Origin.OVERRIDE;
    }

    @Override
    String nameOf(Subject subject) {
        return subject.target().name();
    }

    @Override
    Optional<ExternalOverride> of(Subject subject) {
        return subject.backend().externalOverrides().of(subject.source());
    }

    @Override
    OverrideTerms terms(ExternalOverride override) {
        return override.terms();
    }

    @Override
    String textOf(ExternalOverride override) {
        return "override to " + override.effect() + " by " + override.sourceAndReason();
    }

    @Override
    void begin(Subject subject, ExternalOverride override) {
        ExternalOverrideSet before = subject.backend().externalOverrides();
        boolean isRenewal =
                before.of(subject.source()).filter(override::isRenewalOf).isPresent();
        boolean isReported = replace(subject, before.with(override), /* end= */ "");
        if (!isRenewal && (!isReported || override.weight().isPresent())) {
            report(nameOf(subject), textOf(override));
        }
    }

    @Override
    void expire(Subject subject, ExternalOverride override) {
        onExpiry.run();
        removeOverride(subject, EXPIRED);
    }

    /** @param why the reason, such as {@link #EXPIRED} */
    @Override
    void end(Subject subject, String why) {
        ExternalOverrideSet before = subject.backend().externalOverrides();
        Optional<ExternalOverride> ended = before.of(subject.source());
        String text = ended.map(this::textOf).orElse("") + " ended: " + why;
        boolean isReported = replace(subject, before.without(subject.source()), text);
        boolean hadWeight = ended.filter(each -> each.weight().isPresent()).isPresent();
        if (!isReported || hadWeight) {
            report(nameOf(subject), text);
        }
    }

    /** Replaces the external overrides of the backend; returns whether a change of its state was reported. */
    private boolean replace(Subject subject, ExternalOverrideSet next, String end) {
        next.of(subject.source())
                .ifPresentOrElse(override -> active.put(subject, override), () -> active.remove(subject));
        OptionalInt weight = subject.backend().overriddenWeight();
        boolean isReported = health.applyExternal(subject.backend(), next, end);
        if (!weight.equals(subject.backend().overriddenWeight())) {
            health.refresh(subject.target().pool());
        }
        return isReported;
    }

    @Override
    void clear(Subject subject) {
        active.remove(subject);
        Backend backend = subject.backend();
        backend.externalOverrides(backend.externalOverrides().without(subject.source()));
    }
}
