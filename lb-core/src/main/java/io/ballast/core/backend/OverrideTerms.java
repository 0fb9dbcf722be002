package io.ballast.core.backend;

import io.ballast.core.Checks;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * The author, the reason and the lifetime of an override.
 *
 * @param who the author, at most {@value StateOverride#MAX_WHO} characters
 * @param why the reason, at most {@value StateOverride#MAX_WHY} characters; may be empty
 * @param since the time at which it was set
 * @param until the expiry; absent for none
 */
public record OverrideTerms(String who, String why, Instant since, Optional<Instant> until) {

    /** Throws {@link IllegalArgumentException} for texts that are too long, or would not show as one line. */
    public OverrideTerms {
        checkTexts(who, why);
    }

    static void checkTexts(String who, String why) {
        Checks.that(!who.isBlank(), "who", "\"\"", "a name");
        checkText("who", who, StateOverride.MAX_WHO);
        checkText("why", why, StateOverride.MAX_WHY);
    }

    private static void checkText(String name, String text, int max) {
        int length = text.codePointCount(0, text.length());
        Checks.that(length <= max, name, length + " characters", "at most " + max);
        Checks.that(
                text.codePoints().allMatch(OverrideTerms::shows),
                name,
                "a control character",
                "plain text in one line");
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

    /** Describes the terms: "ann: new kernel, until 2026-01-01T12:00:00Z". */
    public String text() {
        return signed()
                + until.map(end -> ", until " + end.truncatedTo(ChronoUnit.SECONDS))
                        .orElse("");
    }

    /** Returns author and reason, such as "ann: new kernel". */
    public String signed() {
        return StateOverride.signed(who, why);
    }

    public boolean hasExpired(Instant now) {
        return until.isPresent() && !now.isBefore(until.get());
    }
}
