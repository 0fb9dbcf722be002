package io.ballast.core.health;

import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.backend.StateOverride;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.HealthConfig;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Computes the state of a backend from checks, failed requests and overrides. Uses no clock, threads or
 * sockets.
 *
 * <pre>
 *              first check ok                     rise checks in a row ok
 *   unknown ──────────────────────► up ◄───────────────────────────────────┐
 *      │                            │  fall failures in a row              │
 *      └────────────────────────────┴──────────────────────────────────► down
 *        first check failed, or fall requests
 * </pre>
 *
 * While a backend is not down, failed checks and failed requests are added together. A successful check
 * resets both counts, an answered request resets only the failed requests. While the backend is down, failed
 * requests are ignored, because they were sent before it went down.
 *
 * <p>The verdict is the state that results from checks and requests. An ejection hides the verdict until the
 * verdict becomes down, which ends the ejection. An operator's override hides both. The hidden states
 * continue to change, and become visible again when the backend is enabled.
 *
 * <p>Thread safety: confined to the control plane.
 */
final class HealthMachine {

    private final int rise;
    private final int fall;

    /** The state according to checks and requests: unknown, up or down. */
    private BackendState verdict;

    private String verdictReason;
    private boolean ejected;
    private String ejectionReason = "";

    /** The state that an operator has forced; null if there is no override. The author is stored with it. */
    private @Nullable BackendState overrideState;

    private String overrideAuthor;
    private int okChecks;
    private int failedChecks;
    private int failedRequests;

    /**
     * Creates a machine that starts from the known state of a backend. An active override hides the result of
     * checks.
     */
    HealthMachine(HealthConfig config, HealthStatus status, Optional<StateOverride> order) {
        this.rise = config.rise();
        this.fall = config.fall();
        this.ejected = status.state() == BackendState.EJECTED;
        this.overrideState = order.map(present -> present.kind().state()).orElse(null);
        this.overrideAuthor = order.map(StateOverride::text).orElse("");
        if (order.isPresent()) {
            this.verdict = initialState(config);
        } else {
            this.verdict = ejected ? BackendState.UP : status.state();
        }
        this.verdictReason = status.reason();
    }

    /** Returns a machine for the same backend with other settings; it keeps the state that an override hides. */
    HealthMachine withConfig(HealthConfig config, HealthStatus status, Optional<StateOverride> order) {
        HealthMachine next = new HealthMachine(config, status, order);
        next.ejectionReason = ejectionReason;
        if (order.isPresent()) {
            next.ejected = ejected;
            next.verdict = initialState(config) == BackendState.UP ? BackendState.UP : verdict;
            next.verdictReason = verdictReason;
        }
        return next;
    }

    /** Returns the state of a backend before its first check. */
    private static BackendState initialState(HealthConfig config) {
        return config.check() instanceof HealthCheck.None ? BackendState.UP : BackendState.UNKNOWN;
    }

    BackendState state() {
        if (overrideState != null) {
            return overrideState;
        }
        return ejected ? BackendState.EJECTED : verdict;
    }

    /** Whether the backend is ejected, regardless of overrides. */
    boolean isEjected() {
        return ejected;
    }

    /** Returns whether a check with this result contradicts the current state and may lead to a change. */
    boolean isDisputedBy(boolean ok) {
        return verdict != (ok ? BackendState.UP : BackendState.DOWN);
    }

    /** Minimum number of consecutive contradicting checks before the state changes; 1 or more. */
    int checksUntilChange() {
        int left =
                switch (verdict) {
                    case UP -> fall - failedChecks - failedRequests;
                    case DOWN -> rise - okChecks;
                    default -> 1;
                };
        return Math.max(left, 1);
    }

    boolean isDown() {
        return verdict == BackendState.DOWN;
    }

    /** Number of consecutive failed checks since the state changed. */
    int failedChecks() {
        return failedChecks;
    }

    /**
     * Returns whether some, but not all, of the checks for a state change have arrived, so that the next checks
     * use the fast interval.
     */
    boolean isChanging() {
        return verdict == BackendState.UP ? failedChecks > 0 : verdict == BackendState.UNKNOWN || okChecks > 0;
    }

    /** Returns whether the state is overridden. */
    boolean isOverridden() {
        return overrideState != null;
    }

    /** Processes a check result; returns the change, if any. */
    @Nullable HealthChange onCheck(boolean ok, String text) {
        if (ok) {
            failedChecks = 0;
            failedRequests = 0;
            okChecks++;
            return isDisputedBy(true) && okChecks >= (verdict == BackendState.DOWN ? rise : 1)
                    ? decide(BackendState.UP, Origin.CHECK, text)
                    : null;
        }
        okChecks = 0;
        failedChecks = Math.min(failedChecks + 1, HealthConfig.MAX_STREAK);
        return isDisputedBy(false) && (verdict == BackendState.UNKNOWN || hasDropped())
                ? decide(BackendState.DOWN, Origin.CHECK, text)
                : null;
    }

    /** Processes consecutive failed requests; returns the change, if any. */
    @Nullable HealthChange onFailedRequests(int count, String reason) {
        if (verdict == BackendState.DOWN) {
            return null;
        }
        failedRequests = (int) Math.min((long) failedRequests + count, fall);
        return hasDropped() ? decide(BackendState.DOWN, Origin.PASSIVE, reason) : null;
    }

    /** Resets the count of failed requests, because the backend has responded. */
    void onAnswer() {
        failedRequests = 0;
    }

    /** Ejects the backend because requests fail, unless it is out of service; returns the change, if any. */
    @Nullable HealthChange eject(String reason) {
        BackendState before = state();
        if (overrideState != null || !before.isUsable()) {
            return null;
        }
        ejected = true;
        ejectionReason = reason;
        return new HealthChange(before, state(), Origin.PASSIVE, reason);
    }

    /** Ends an ejection; returns the change, if any. */
    @Nullable HealthChange readmit(String reason) {
        BackendState before = state();
        ejected = false;
        return before == state() ? null : new HealthChange(before, state(), Origin.PASSIVE, reason);
    }

    /**
     * Applies an override; returns the change, if any. Replacing an override by one of the same kind is also a
     * change, because the reason differs.
     */
    @Nullable HealthChange applyOverride(BackendState wanted, String who) {
        if (wanted == overrideState && who.equals(overrideAuthor)) {
            return null;
        }
        BackendState before = state();
        overrideState = wanted;
        overrideAuthor = who;
        return new HealthChange(before, wanted, Origin.OPERATOR, "override by " + who);
    }

    /** Removes the override; returns the change, if any. */
    @Nullable HealthChange enable(String who) {
        if (overrideState == null) {
            return null;
        }
        BackendState before = overrideState;
        overrideState = null;
        String reason = "enabled by " + who;
        if (state() == BackendState.DOWN) {
            reason += ", but: " + verdictReason;
        } else if (ejected) {
            reason += ", but: " + ejectionReason;
        }
        return new HealthChange(before, state(), Origin.OPERATOR, reason);
    }

    private boolean hasDropped() {
        return failedChecks + failedRequests >= fall;
    }

    private @Nullable HealthChange decide(BackendState next, Origin origin, String reason) {
        BackendState before = state();
        verdict = next;
        ejected &= next != BackendState.DOWN;
        verdictReason = reason;
        okChecks = 0;
        failedChecks = 0;
        failedRequests = 0;
        return before == state() ? null : new HealthChange(before, state(), origin, reason);
    }
}
