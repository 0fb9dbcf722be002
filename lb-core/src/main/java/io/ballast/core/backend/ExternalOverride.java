package io.ballast.core.backend;

import io.ballast.core.Checks;
import io.ballast.core.config.BackendConfig;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The state or the weight that an external source, such as a monitoring script, sets for a backend. It always expires.
 * It takes precedence over health checks, and an operator's {@link StateOverride} or {@link WeightOverride} takes
 * precedence over it.
 *
 * @param pool the name of the backend's pool
 * @param address the backend as written in the configuration
 * @param source the name of the source, at most {@value StateOverride#MAX_AUTHOR_LENGTH} characters; each source has at
 *     most one override for each backend
 * @param state the state to set; empty if the source overrides only the weight
 * @param weight 0 to {@value BackendConfig#MAX_WEIGHT}; empty if the source overrides only the state
 * @param reason at most {@value StateOverride#MAX_REASON_LENGTH} characters; may be empty
 * @param since the time since which the source has set this state, weight and reason
 * @param renewed the time of the last request, which may have changed only the expiry
 * @param expires the time at which the override ends
 */
public record ExternalOverride(
        String pool,
        String address,
        String source,
        Optional<State> state,
        OptionalInt weight,
        String reason,
        Instant since,
        Instant renewed,
        Instant expires) {

    /** The states that a source can set, in ascending order of precedence. */
    public enum State {
        /** Gets requests even if its checks fail. */
        UP("up", BackendState.UP),
        /** Finishes its current requests and gets no new ones. */
        DRAIN("drain", BackendState.DRAINING),
        /** Gets no requests except in panic mode, like a backend whose checks failed. */
        DOWN("down", BackendState.DOWN);

        private final String label;
        private final BackendState state;

        State(String label, BackendState state) {
            this.label = label;
            this.state = state;
        }

        public String label() {
            return label;
        }

        /** Returns the resulting state of the backend. */
        public BackendState state() {
            return state;
        }

        /** Returns the state with this label. Throws {@link IllegalArgumentException} if there is none. */
        public static State of(String label) {
            for (State each : values()) {
                if (each.label.equals(label)) {
                    return each;
                }
            }
            throw new IllegalArgumentException("state: " + label + " (expected: up, drain or down)");
        }
    }

    /** Throws {@link IllegalArgumentException} for an override that is out of bounds or changes nothing. */
    public ExternalOverride {
        Checks.that(state.isPresent() || weight.isPresent(), "override", "empty", "state, weight or both");
        weight.ifPresent(value -> Checks.between(value, 0, BackendConfig.MAX_WEIGHT, "weight"));
        checkSource(source);
        checkReason(reason);
    }

    /** Throws {@link IllegalArgumentException} for a source that is too long or cannot be displayed as one line. */
    public static void checkSource(String source) {
        Checks.that(!source.isBlank(), "source", "\"\"", "a name");
        OverrideTerms.checkText("source", source, StateOverride.MAX_AUTHOR_LENGTH);
    }

    /** Throws {@link IllegalArgumentException} for a reason that is too long or cannot be displayed as one line. */
    public static void checkReason(String reason) {
        OverrideTerms.checkText("reason", reason, StateOverride.MAX_REASON_LENGTH);
    }

    /** Identifies an override. */
    public record Key(String pool, String address, String source) {}

    public Key key() {
        return new Key(pool, address, source);
    }

    /**
     * Returns whether {@code other} sets the same state and weight for the same reason, so that only the times may
     * differ.
     */
    public boolean isRenewalOf(ExternalOverride other) {
        return key().equals(other.key())
                && state.equals(other.state)
                && weight.equals(other.weight)
                && reason.equals(other.reason);
    }

    /** Returns a copy that has been in effect since {@code start}. */
    public ExternalOverride withSince(Instant start) {
        return new ExternalOverride(pool, address, source, state, weight, reason, start, renewed, expires);
    }

    /** Returns the source and the reason, such as "probe: replication lag". */
    public String sourceAndReason() {
        return StateOverride.authorAndReason(source, reason);
    }

    /** Returns the state and the weight as text: "down", "weight 5" or "up, weight 5". */
    public String effect() {
        String ofWeight = weight.isPresent() ? "weight " + weight.getAsInt() : "";
        String separator = state.isPresent() && weight.isPresent() ? ", " : "";
        return state.map(State::label).orElse("") + separator + ofWeight;
    }

    /** Returns the source, the reason and the lifetime, which starts at the last renewal. */
    public OverrideTerms terms() {
        return new OverrideTerms(source, reason, renewed, Optional.of(expires));
    }
}
