package io.ballast.core.health;

import io.ballast.core.backend.AgentReport;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.ExternalOverride;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.backend.StateOverride;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.HealthConfig;
import io.ballast.core.vote.BackendVotes;
import java.util.Objects;
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
 * <p>The verdict is the state that results from checks and requests of this node. In a cluster, the votes of several
 * nodes may overrule it. An ejection hides the result until it becomes down, which ends the ejection. An override of
 * external sources hides both, and an operator's override hides all of them. The hidden states continue to change, and
 * become visible again when the override ends.
 *
 * <p>The report of an agent that runs next to the backend has the lowest authority. For a backend without checks, a
 * reported up or down is the verdict, since no check of this process can contradict it. A drain is not a statement
 * about the health: it keeps new clients away from a backend that is up, and has no effect on one that is down or
 * ejected.
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

    /** The state that an operator has forced; null without an override. */
    private @Nullable ForcedState operator;

    /** The state that external sources have forced; null without an override. */
    private @Nullable ForcedState external;

    /** The votes of all nodes, which contain the verdict of this node; null outside of a cluster. */
    private @Nullable BackendVotes votes;

    /** The drain that an agent has requested; null without a request. */
    private @Nullable ForcedState drain;

    private final boolean isChecked;
    private int okChecks;
    private int failedChecks;
    private int failedRequests;

    /** A state that an override forces or an agent requests, and the reason with its author. */
    private record ForcedState(BackendState state, String reason) {

        static ForcedState override(BackendState state, String author) {
            return new ForcedState(state, "override by " + author);
        }
    }

    /**
     * Creates a machine that starts from the known state of a backend. An active override hides the result of
     * checks.
     *
     * @param order the override of an operator
     * @param source the external override that decides the state; empty if there is none
     * @param report the last report of an agent
     */
    HealthMachine(
            HealthConfig config,
            HealthStatus status,
            Optional<StateOverride> order,
            Optional<ExternalOverride> source,
            Optional<AgentReport> report) {
        this.isChecked = !(config.check() instanceof HealthCheck.None);
        this.rise = config.rise();
        this.fall = config.fall();
        this.ejected = status.state() == BackendState.EJECTED;
        this.operator = order.map(present -> ForcedState.override(present.kind().state(), present.text()))
                .orElse(null);
        this.external = forcedState(source);
        this.drain = requestedDrain(report);
        if (isVerdictHidden(status)) {
            this.verdict = initialState(config);
        } else {
            this.verdict = ejected ? BackendState.UP : status.state();
        }
        this.verdictReason = status.reason();
        if (!isChecked && report.isPresent()) {
            adoptVerdict(report);
        }
    }

    /**
     * Returns a machine for the same backend with other settings; it keeps the votes, and the state that an override or
     * the votes hide.
     */
    HealthMachine withConfig(
            HealthConfig config,
            HealthStatus status,
            Optional<StateOverride> order,
            Optional<ExternalOverride> source,
            Optional<AgentReport> report) {
        HealthMachine next = new HealthMachine(config, status, order, source, report);
        next.ejectionReason = ejectionReason;
        next.votes = votes;
        boolean isUnchanged = votes != null && status.state() == state();
        boolean isHidden = next.isVerdictHidden(status);
        if (isHidden) {
            next.ejected = ejected;
        }
        if (isHidden || isUnchanged) {
            next.verdict = initialState(config) == BackendState.UP ? BackendState.UP : verdict;
            next.verdictReason = verdictReason;
        }
        return next;
    }

    /** Returns the state of a backend before its first check. */
    private static BackendState initialState(HealthConfig config) {
        return config.check() instanceof HealthCheck.None ? BackendState.UP : BackendState.UNKNOWN;
    }

    private static @Nullable ForcedState forcedState(Optional<ExternalOverride> source) {
        return source.map(present ->
                        ForcedState.override(present.state().orElseThrow().state(), present.sourceAndReason()))
                .orElse(null);
    }

    BackendState state() {
        ForcedState forced = forced();
        if (forced != null) {
            return forced.state();
        }
        if (ejected) {
            return BackendState.EJECTED;
        }
        BackendState voted = votedState();
        return drain != null && voted != BackendState.DOWN ? drain.state() : voted;
    }

    /** The state according to the votes; the verdict of this node if the votes decide nothing. */
    private BackendState votedState() {
        Boolean voted = votes == null ? null : votes.verdict();
        if (voted == null) {
            return verdict;
        }
        return voted ? BackendState.UP : BackendState.DOWN;
    }

    /** Returns the state of the override with the highest precedence; null without an override. */
    private @Nullable ForcedState forced() {
        return operator != null ? operator : external;
    }

    /** Returns whether a published state says nothing about the verdict, because an override or a drain hides it. */
    private boolean isVerdictHidden(HealthStatus published) {
        return isOverridden() || (drain != null && published.state() == drain.state());
    }

    /** The state according to checks and requests of this node, regardless of votes, overrides and ejections. */
    BackendState verdict() {
        return verdict;
    }

    String verdictReason() {
        return verdictReason;
    }

    String ejectionReason() {
        return ejectionReason;
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

    /** Number of consecutive successful checks since the state changed. */
    int okChecks() {
        return okChecks;
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
        return forced() != null;
    }

    // ---- votes

    /** Makes votes decide the state, from the next call of {@link #onVotes} on. */
    void join(BackendVotes all) {
        votes = all;
    }

    /** Makes this node decide the state alone, without votes; returns the change, if any. */
    @Nullable HealthChange leave() {
        BackendState before = state();
        votes = null;
        return decided(before, Origin.CLUSTER, verdictReason);
    }

    /** Counts the votes again, because the votes of other nodes have changed; returns the change, if any. */
    @Nullable HealthChange onVotes() {
        BackendState before = state();
        recount();
        return before == state() || votes == null
                ? null
                : new HealthChange(before, state(), Origin.CLUSTER, votes.text());
    }

    /** Withdraws the verdict of this node, because other nodes check the backend. The votes then decide the state. */
    void stopChecks() {
        verdict = BackendState.UNKNOWN;
        verdictReason = "other nodes check the backend";
        resetCounts();
    }

    /** Makes this node check the backend again; its first verdict is that of the votes. */
    void resumeChecks() {
        verdict = votedState();
        verdictReason = votes == null ? "" : votes.text();
        resetCounts();
    }

    private void recount() {
        if (votes != null) {
            votes.count(verdict == BackendState.UNKNOWN ? null : verdict == BackendState.UP, verdictReason);
        }
        ejected &= votedState() != BackendState.DOWN;
    }

    // ---- checks and requests

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
        if (isOverridden() || !before.isUsable()) {
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
        ForcedState next = ForcedState.override(wanted, who);
        if (next.equals(operator)) {
            return null;
        }
        BackendState before = state();
        operator = next;
        return new HealthChange(before, wanted, Origin.OPERATOR, next.reason());
    }

    /** Removes an operator's override; returns the change, if any. */
    @Nullable HealthChange enable(String who) {
        if (operator == null) {
            return null;
        }
        BackendState before = operator.state();
        operator = null;
        return new HealthChange(before, state(), Origin.OPERATOR, "enabled by " + who + visibleReason());
    }

    /**
     * Replaces the override of external sources; returns the visible change, if any. While an operator overrides the
     * state, no change is visible.
     *
     * @param source the external override that decides the state; empty if there is none
     * @param end describes how the previous override ended; used only if {@code source} is empty
     */
    @Nullable HealthChange applyExternal(Optional<ExternalOverride> source, String end) {
        ForcedState next = forcedState(source);
        if (Objects.equals(next, external)) {
            return null;
        }
        BackendState before = state();
        external = next;
        if (operator != null) {
            return null;
        }
        String reason = next == null ? end + visibleReason() : next.reason();
        return new HealthChange(before, state(), Origin.OVERRIDE, reason);
    }

    /**
     * Applies the report of an agent; returns the visible change, if any.
     *
     * @param report the last report; empty if agents do not report the backend any more
     */
    @Nullable HealthChange applyReport(Optional<AgentReport> report) {
        BackendState before = state();
        drain = requestedDrain(report);
        if (!isChecked) {
            adoptVerdict(report);
        }
        String reason = report.map(AgentReport::text).orElse("no agent reports this backend any more");
        return before == state() ? null : new HealthChange(before, state(), Origin.AGENT, reason);
    }

    private void adoptVerdict(Optional<AgentReport> report) {
        boolean isOut = report.filter(present ->
                        present.state() == AgentReport.State.DOWN || present.state() == AgentReport.State.STALE)
                .isPresent();
        verdict = isOut ? BackendState.DOWN : BackendState.UP;
        ejected &= !isOut;
        verdictReason = report.map(AgentReport::text).orElse("");
    }

    private static @Nullable ForcedState requestedDrain(Optional<AgentReport> report) {
        return report.filter(present -> present.state() == AgentReport.State.DRAIN)
                .map(present -> new ForcedState(BackendState.DRAINING, present.text()))
                .orElse(null);
    }

    /** Returns the reason of a state that becomes visible because an override ends; empty if the backend is up. */
    private String visibleReason() {
        ForcedState forced = forced();
        if (forced != null) {
            return ", but: " + forced.reason();
        }
        if (votedState() == BackendState.DOWN) {
            return ", but: " + (votes == null || verdict == BackendState.DOWN ? verdictReason : votes.text());
        }
        if (ejected) {
            return ", but: " + ejectionReason;
        }
        return drain == null ? "" : ", but: " + drain.reason();
    }

    private boolean hasDropped() {
        return failedChecks + failedRequests >= fall;
    }

    private @Nullable HealthChange decide(BackendState next, Origin origin, String reason) {
        BackendState before = state();
        verdict = next;
        verdictReason = reason;
        resetCounts();
        return decided(before, origin, reason);
    }

    /** Returns the change that the verdict of this node has caused, if any. */
    private @Nullable HealthChange decided(BackendState before, Origin origin, String reason) {
        recount();
        if (before == state()) {
            return null;
        }
        return votes == null || votedState() == verdict
                ? new HealthChange(before, state(), origin, reason)
                : new HealthChange(before, state(), Origin.CLUSTER, votes.text());
    }

    private void resetCounts() {
        okChecks = 0;
        failedChecks = 0;
        failedRequests = 0;
    }
}
