package io.ballast.core.backend;

import io.ballast.core.Checks;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Who ordered something, why, and how long it is to last.
 *
 * @param who gave it, {@value Order#MOST_WHO} characters at most
 * @param why in words, {@value Order#MOST_WHY} characters at most; empty if nothing was said
 * @param since when it was given
 * @param until when it ends by itself; absent if it does not
 */
public record OrderTerms(String who, String why, Instant since, Optional<Instant> until) {

    /** Throws {@link IllegalArgumentException} for texts that are too long, or would not show as one line. */
    public OrderTerms {
        checkTexts(who, why);
    }

    static void checkTexts(String who, String why) {
        Checks.that(!who.isBlank(), "who", "\"\"", "a name");
        checkText("who", who, Order.MOST_WHO);
        checkText("why", why, Order.MOST_WHY);
    }

    private static void checkText(String name, String text, int most) {
        int length = text.codePointCount(0, text.length());
        Checks.that(length <= most, name, length + " characters", "at most " + most);
        Checks.that(
                text.codePoints().allMatch(OrderTerms::shows), name, "a control character", "plain text in one line");
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

    /** All of it, as in "ann: new kernel, until 2026-01-01T12:00:00Z". */
    public String text() {
        return signed()
                + until.map(end -> ", until " + end.truncatedTo(ChronoUnit.SECONDS))
                        .orElse("");
    }

    /** Who and why, as in "ann: new kernel". */
    public String signed() {
        return Order.signed(who, why);
    }

    public boolean hasExpired(Instant now) {
        return until.isPresent() && !now.isBefore(until.get());
    }
}
