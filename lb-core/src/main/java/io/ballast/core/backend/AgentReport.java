package io.ballast.core.backend;

import io.ballast.core.Checks;

/**
 * A report about a backend, from an agent that runs next to it.
 *
 * @param agent the id of the agent
 * @param state the reported state
 * @param reason the reason of the state; may be empty
 * @param weightTenths the share of the weight that the backend should get, in tenths, 1 to {@link Backend#ALL_TENTHS}
 */
public record AgentReport(String agent, State state, String reason, int weightTenths) {

    /** The reported state of a backend. */
    public enum State {
        UP("up"),
        DOWN("down"),
        /** The backend should get no new clients. */
        DRAIN("drain"),
        /** The agent has not reported for too long. */
        STALE("stale");

        private final String label;

        State(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    public AgentReport {
        Checks.between(weightTenths, 1, Backend.ALL_TENTHS, "weight_tenths");
    }

    /** Describes the report: {@code down by agent rack1: status 503}. */
    public String text() {
        return state.label() + " by agent " + agent + (reason.isEmpty() ? "" : ": " + reason);
    }
}
