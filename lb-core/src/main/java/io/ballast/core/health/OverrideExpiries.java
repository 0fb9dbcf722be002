package io.ballast.core.health;

import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.ScheduledTask;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The subjects (backends or pools) with an active override of one kind, and the times at which the overrides expire.
 *
 * <p>An override ends when the wall clock reaches its expiry. If the clock is set back, the override ends after the
 * duration for which it was granted, measured by the scheduler.
 *
 * <p>Thread safety: confined to the control plane.
 */
final class OverrideExpiries<S> {

    /** Interval at which the wall clock is read again, because the system time may be changed. */
    private static final Duration CLOCK_TRUSTED = Duration.ofMinutes(1);

    private final ControlPlane control;
    private final Map<S, Optional<ScheduledTask>> ends = new LinkedHashMap<>();

    OverrideExpiries(ControlPlane control) {
        this.control = control;
    }

    /**
     * Adds an override and replaces an earlier one.
     *
     * @param end removes the override when it expires
     */
    void add(S subject, OverrideTerms terms, Runnable end) {
        remove(subject);
        ends.put(subject, Optional.empty());
        terms.until().ifPresent(until -> endLater(subject, terms, until, Duration.between(terms.since(), until), end));
    }

    /** @param granted the longest time until the override ends, even if the wall clock is set back */
    private void endLater(S subject, OverrideTerms terms, Instant until, Duration granted, Runnable end) {
        Duration left = shorter(Duration.between(control.clock().instant(), until), granted);
        Duration wait = shorter(left, CLOCK_TRUSTED);
        ends.put(
                subject,
                Optional.of(control.scheduleTask(
                        () -> {
                            Duration rest = granted.minus(wait);
                            boolean over = rest.isZero() || rest.isNegative();
                            if (over || terms.hasExpired(control.clock().instant())) {
                                end.run();
                            } else {
                                endLater(subject, terms, until, rest, end);
                            }
                        },
                        wait)));
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    /** Returns the author that the timeline shows when an override expires. */
    static String expiryAuthor(OverrideTerms terms) {
        return "the expiry of the override by " + terms.authorAndReason();
    }

    /** Removes an override; returns whether there was one. */
    boolean remove(S subject) {
        if (!ends.containsKey(subject)) {
            return false;
        }
        ends.remove(subject).ifPresent(ScheduledTask::cancel);
        return true;
    }

    /** Number of subjects with an override. */
    int size() {
        return ends.size();
    }

    /** Returns the subjects with an override, in the order of creation. */
    List<S> subjects() {
        return List.copyOf(ends.keySet());
    }
}
