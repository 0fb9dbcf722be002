package io.ballast.core.backend;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What an operator has a backend be, whatever its checks say, until it is taken back.
 *
 * @param kind what it is to be
 * @param terms who gave it, why, and until when it stands
 * @param deadline of a drain: when tunnels and sessions that still lead to the backend are cut; absent if they never are
 */
public record Order(Kind kind, OrderTerms terms, Optional<Instant> deadline) {

    public static final int MOST_WHO = 64;
    public static final int MOST_WHY = 200;

    /** The longest time for which one may be given; longer ones are given without an end. */
    public static final Duration LONGEST = Duration.ofDays(365);

    /** What an operator may ask for. */
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

        /** What it makes of a backend. */
        public BackendState state() {
            return state;
        }
    }

    /** Throws {@link IllegalArgumentException} for texts that are too long, or would not show as one line. */
    public Order(Kind kind, String who, String why, Instant since, Optional<Instant> until) {
        this(kind, new OrderTerms(who, why, since, until), Optional.empty());
    }

    /** Checks what comes with the end of an order as well; throws like the constructor. */
    public static void checkTexts(String who, String why) {
        OrderTerms.checkTexts(who, why);
    }

    public String who() {
        return terms.who();
    }

    public String why() {
        return terms.why();
    }

    public Instant since() {
        return terms.since();
    }

    public Optional<Instant> until() {
        return terms.until();
    }

    /** Who gave it, why and until when: {@link OrderTerms#text}. */
    public String text() {
        return terms.text();
    }

    /** Who and why, as in "ann: new kernel". */
    public static String signed(String who, String why) {
        return why.isEmpty() ? who : who + ": " + why;
    }

    public boolean hasExpired(Instant now) {
        return terms.hasExpired(now);
    }
}
