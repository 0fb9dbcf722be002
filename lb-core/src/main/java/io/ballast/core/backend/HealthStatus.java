package io.ballast.core.backend;

import java.time.Duration;
import java.time.Instant;

/**
 * The last decision of the control plane about a backend, with its reason.
 *
 * @param state the state
 * @param since the time of the last change
 * @param origin the cause of the decision
 * @param reason the reason as the dashboard shows it, such as "connection refused" or "status 503 (expected 200-399)"
 * @param lastCheck the result of the most recent check
 */
public record HealthStatus(BackendState state, Instant since, Origin origin, String reason, LastCheck lastCheck) {

    /** The source of a decision about a backend's state, such as a health check or an operator. */
    public enum Origin {
        START("start"),
        CHECK("check"),
        PASSIVE("passive"),
        OPERATOR("operator"),
        /** An external source has overridden the state. */
        OVERRIDE("override"),
        /** A changed file caused the state. */
        FILE("file"),
        /** A discovery source changed the state. */
        DISCOVERY("discovery"),
        /** Another node of the cluster caused the state. */
        CLUSTER("cluster"),
        /** An agent next to the backend has reported the state. */
        AGENT("agent");

        private final String label;

        Origin(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    /**
     * The most recent check.
     *
     * @param ok whether it succeeded
     * @param duration its duration
     * @param text its result, such as "200 OK" or "connection refused"; empty before the first check
     */
    public record LastCheck(boolean ok, Duration duration, String text) {
        public static final LastCheck NONE = new LastCheck(false, Duration.ZERO, "");
    }

    /** The status of a backend that has not been checked yet. */
    public static HealthStatus unknown(Instant now) {
        return new HealthStatus(BackendState.UNKNOWN, now, Origin.START, "not checked yet", LastCheck.NONE);
    }

    /** The status of a backend without health checks. */
    public static HealthStatus unchecked(Instant now) {
        return new HealthStatus(
                BackendState.UP, now, Origin.START, "not checked: checks are off in the configuration", LastCheck.NONE);
    }

    /** The status of a backend whose name has not been resolved yet. */
    public static HealthStatus withoutAddress(String name, Instant now) {
        return new HealthStatus(BackendState.DOWN, now, Origin.START, "no address: " + name, LastCheck.NONE);
    }

    /** Returns a copy of this status with a newer check result; the state and its reason are unchanged. */
    public HealthStatus with(LastCheck check) {
        return new HealthStatus(state, since, origin, reason, check);
    }
}
