package io.ballast.core.backend;

import io.ballast.core.Checks;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * What an operator has a backend be, whatever its checks say, until it is taken back.
 *
 * @param kind what it is to be
 * @param who gave it, {@value #MOST_WHO} characters at most
 * @param why in words, {@value #MOST_WHY} characters at most; empty if nothing was said
 * @param since when it was given
 * @param until when it ends by itself; absent if it does not
 */
public record Order(Kind kind, String who, String why, Instant since, Optional<Instant> until) {

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
    public Order {
        checkTexts(who, why);
    }

    /** Checks what comes with the end of an order as well; throws like the constructor. */
    public static void checkTexts(String who, String why) {
        Checks.that(!who.isBlank(), "who", "\"\"", "a name");
        checkText("who", who, MOST_WHO);
        checkText("why", why, MOST_WHY);
    }

    private static void checkText(String name, String text, int most) {
        Checks.that(text.length() <= most, name, text.length() + " characters", "at most " + most);
        Checks.that(text.codePoints().allMatch(Order::shows), name, "a control character", "plain text in one line");
    }

    private static boolean shows(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }

    /** Who gave it, why and until when, as in "ann: new kernel, until 2026-01-01T12:00:00Z". */
    public String text() {
        return signed(who, why)
                + until.map(end -> ", until " + end.truncatedTo(ChronoUnit.SECONDS))
                        .orElse("");
    }

    /** Who and why, as in "ann: new kernel". */
    public static String signed(String who, String why) {
        return why.isEmpty() ? who : who + ": " + why;
    }

    public boolean hasExpired(Instant now) {
        return until.isPresent() && !now.isBefore(until.get());
    }
}
