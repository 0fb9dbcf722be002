package io.ballast.core.backend;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * An operator's override of the state of a backend. It takes precedence over health checks until it is
 * removed.
 *
 * @param kind the forced state
 * @param terms the author, the reason and the expiry
 * @param deadline the time at which a drain closes the remaining tunnels and sessions; absent if it never
 *     does
 */
public record StateOverride(Kind kind, OverrideTerms terms, Optional<Instant> deadline) {

    public static final int MAX_AUTHOR_LENGTH = 64;
    public static final int MAX_REASON_LENGTH = 200;

    /** The longest time until an override expires; an override that must last longer is set without an expiry. */
    public static final Duration MAX_DURATION = Duration.ofDays(365);

    /** The states that an operator can force. */
    public enum Kind {
        DRAIN("drain", BackendState.DRAINING),
        DOWN("down", BackendState.MAINTENANCE),
        UP("up", BackendState.UP);

        private final String label;
        private final BackendState state;

        Kind(String label, BackendState state) {
            this.label = label;
            this.state = state;
        }

        public String label() {
            return label;
        }

        /** Returns the forced state. */
        public BackendState state() {
            return state;
        }
    }

    /** Throws {@link IllegalArgumentException} for texts that are too long or cannot be displayed as one line. */
    public StateOverride(Kind kind, String who, String why, Instant since, Optional<Instant> until) {
        this(kind, new OverrideTerms(who, why, since, until), Optional.empty());
    }

    /** Checks the author and the reason of an override; throws like the constructor. */
    public static void checkTexts(String who, String why) {
        OverrideTerms.checkTexts(who, why);
    }

    public String author() {
        return terms.author();
    }

    public String reason() {
        return terms.reason();
    }

    public Instant since() {
        return terms.since();
    }

    public Optional<Instant> until() {
        return terms.until();
    }

    /** Returns the author, the reason and the expiry: {@link OverrideTerms#text}. */
    public String text() {
        return terms.text();
    }

    /** Returns author and reason, such as "ann: new kernel". */
    public static String authorAndReason(String who, String why) {
        return why.isEmpty() ? who : who + ": " + why;
    }

    public boolean hasExpired(Instant now) {
        return terms.hasExpired(now);
    }
}
