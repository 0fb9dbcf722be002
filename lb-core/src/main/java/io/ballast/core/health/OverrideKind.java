package io.ballast.core.health;

import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.control.ControlPlane;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The active overrides of one kind, at most one for each subject (a backend, a pool, or a backend and an external
 * source). All kinds have the same life cycle. The override itself is stored in its subject; this class stores the
 * subjects and the expiries.
 *
 * <p>Thread safety: confined to the control plane.
 *
 * @param <S> the type of subjects
 * @param <O> the type of overrides
 */
abstract class OverrideKind<S, O> {

    private static final String REMOVED = "no longer in the configuration";
    private static final String EXPIRED = "it has expired";
    private static final Logger LOG = LoggerFactory.getLogger(OperatorOverrides.class);

    private final ControlPlane control;
    private final Runnable saveOverrides;
    private final OverrideExpiries<S> ends;

    /** @param keep saves the overrides; called when an override has ended */
    OverrideKind(ControlPlane control, Runnable keep) {
        this.control = control;
        this.saveOverrides = keep;
        this.ends = new OverrideExpiries<>(control);
    }

    /** Returns the name of a subject for the timeline. */
    abstract String nameOf(S subject);

    /** Returns the active override of a subject, if any. */
    abstract Optional<O> of(S subject);

    abstract OverrideTerms terms(O order);

    /** Describes an override in words. */
    abstract String textOf(O order);

    /** The origin of the events in the timeline. */
    Origin origin() {
        return Origin.OPERATOR;
    }

    /** Activates an override and replaces an earlier one. */
    abstract void begin(S subject, O order);

    /** Removes the override of a subject. */
    abstract void end(S subject, String who);

    /** Removes the override of a subject that is no longer in the configuration. */
    abstract void clear(S subject);

    /** Applies an override to a subject. */
    final void apply(S subject, O order) {
        ends.add(subject, terms(order), () -> expire(subject, order));
        begin(subject, order);
    }

    /** Removes an override that has expired. */
    void expire(S subject, O order) {
        removeOverride(subject, OverrideExpiries.expiryAuthor(terms(order)));
    }

    /** Removes the override of a subject; returns whether there was one. */
    final boolean removeOverride(S subject, String who) {
        boolean present = ends.remove(subject);
        if (present) {
            end(subject, who);
            saveOverrides.run();
        }
        return present;
    }

    /** Number of active overrides. */
    final int size() {
        return ends.size();
    }

    /**
     * Applies a saved override, unless its subject was removed or the override has expired.
     *
     * @param name name of the subject
     * @return whether it was applied
     */
    final boolean restore(String name, Optional<S> subject, O order) {
        if (subject.isEmpty()) {
            dropped(name, order, REMOVED);
            return false;
        }
        if (terms(order).hasExpired(control.clock().instant())) {
            dropped(name, order, EXPIRED);
            return false;
        }
        apply(subject.get(), order);
        return true;
    }

    /**
     * Makes the active overrides equal to {@code wanted}, except overrides that have expired.
     *
     * @return the overrides that are new or were changed
     */
    final Map<S, O> adopt(Map<S, O> wanted, String who) {
        for (S subject : ends.subjects()) {
            if (!wanted.containsKey(subject)) {
                removeOverride(subject, who);
            }
        }
        Map<S, O> changed = new LinkedHashMap<>();
        wanted.forEach((subject, order) -> {
            if (adopt(subject, order)) {
                changed.put(subject, order);
            }
        });
        return changed;
    }

    /** Applies an override, unless it is active already or has expired; returns whether it was applied. */
    final boolean adopt(S subject, O order) {
        boolean isActive = of(subject).filter(order::equals).isPresent();
        if (isActive || terms(order).hasExpired(control.clock().instant())) {
            return false;
        }
        apply(subject, order);
        return true;
    }

    /** Drops the overrides of subjects that do not match {@code isPresent}; returns whether any were dropped. */
    final boolean retain(Predicate<S> isPresent) {
        boolean changed = false;
        for (S subject : ends.subjects()) {
            if (!isPresent.test(subject)) {
                of(subject).ifPresent(order -> dropped(nameOf(subject), order, REMOVED));
                clear(subject);
                changed |= ends.remove(subject);
            }
        }
        return changed;
    }

    /** Returns the active overrides in the order of creation. */
    final <K> List<K> all(BiFunction<S, O, K> kept) {
        List<K> all = new ArrayList<>();
        for (S subject : ends.subjects()) {
            of(subject).ifPresent(order -> all.add(kept.apply(subject, order)));
        }
        return all;
    }

    private void dropped(String subject, O order, String why) {
        report(subject, textOf(order) + " dropped: " + why);
    }

    /** Writes an event to the timeline and the log. */
    final void report(String subject, String text) {
        control.timeline().add(origin(), subject, text);
        LOG.info("backend={} msg=\"{}\"", subject, text.replace('"', '\''));
    }
}
