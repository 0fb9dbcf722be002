package io.ballast.core.health.explain;

import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.ExternalOverride;
import io.ballast.core.backend.HealthStatus.LastCheck;
import io.ballast.core.backend.WeightOverride;
import io.ballast.core.vote.VoteReport;
import java.util.List;
import java.util.Optional;

/**
 * Explains why a backend has its state and its weight.
 *
 * @param levels the levels that can decide the state, the highest authority first; exactly one level decides
 * @param state the resulting state
 * @param takesTraffic whether new requests are sent to the backend now
 * @param weight the weight and its causes
 * @param lastCheck the most recent check
 * @param votes the votes of the nodes; empty outside of a cluster
 */
public record BackendExplanation(
        List<Level> levels,
        BackendState state,
        boolean takesTraffic,
        Weight weight,
        LastCheck lastCheck,
        Optional<VoteReport> votes) {

    public BackendExplanation {
        levels = List.copyOf(levels);
    }

    /** A party that can decide the state of a backend; the labels are part of the API. */
    public enum Authority {
        /** The maintenance of the whole pool. */
        POOL_MAINTENANCE("pool_maintenance"),
        /** Name resolution: the backend is down while its host name has no address. */
        ADDRESS("address"),
        OPERATOR("operator"),
        /** An external source; there is one level for each source. */
        OVERRIDE("override"),
        /** Outlier detection. */
        EJECTION("ejection"),
        /** The votes of the nodes of a cluster, that of this node included. */
        VOTES("votes"),
        /** Health checks, and failed requests that count like failed checks. */
        CHECKS("checks"),
        /**
         * An agent next to the backend. Its reports of up and down count only if there are no checks. Its drain counts
         * unless a higher level finds the backend down.
         */
        AGENT("agent"),
        /** The age of the last report of the agent. */
        STALENESS("staleness");

        private final String label;

        Authority(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    /**
     * A level of authority that can decide the state.
     *
     * @param state the state that the level gives the backend; empty if the level is inactive
     * @param text the reason, or why the level is inactive
     * @param decides whether this is the highest active level, which decides whether the backend is used
     */
    public record Level(Authority authority, Optional<BackendState> state, String text, boolean decides) {}

    /**
     * The weight of a backend.
     *
     * @param file the configured weight
     * @param operator the override of an operator, which has precedence
     * @param override the deciding override of external sources
     * @param used the resulting weight
     * @param slowStartTenths the share of the weight in use because of a slow start, in tenths
     * @param loadTenths the share of the weight in use because of the load that an agent reports, in tenths
     */
    public record Weight(
            int file,
            Optional<WeightOverride> operator,
            Optional<ExternalOverride> override,
            int used,
            int slowStartTenths,
            int loadTenths) {}
}
