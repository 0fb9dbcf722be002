package io.ballast.core.backend;

import io.ballast.core.Checks;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The author, the reason and the lifetime of an override.
 *
 * @param author the author, at most {@value StateOverride#MAX_AUTHOR_LENGTH} characters
 * @param reason the reason, at most {@value StateOverride#MAX_REASON_LENGTH} characters; may be empty
 * @param since the time at which it was set
 * @param until the expiry; absent if the override does not expire
 */
public record OverrideTerms(String author, String reason, Instant since, Optional<Instant> until) {

    /** Control characters, line separators, and invisible format characters, such as those for text direction. */
    private static final Pattern INVISIBLE = Pattern.compile("[\\u0000-\\u001F\\u007F-\\u009F\\u00AD\\u061C\\u180E"
            + "\\u200B-\\u200F\\u2028-\\u202E\\u2060-\\u206F\\uD800-\\uDFFF\\uFEFF\\uFFF9-\\uFFFB"
            + "\\x{1BCA0}-\\x{1BCA3}\\x{1D173}-\\x{1D17A}\\x{E0000}-\\x{E0FFF}]");

    /** Throws {@link IllegalArgumentException} for texts that are too long or cannot be displayed as one line. */
    public OverrideTerms {
        checkTexts(author, reason);
    }

    static void checkTexts(String who, String why) {
        Checks.that(!who.isBlank(), "who", "\"\"", "a name");
        checkText("who", who, StateOverride.MAX_AUTHOR_LENGTH);
        checkText("why", why, StateOverride.MAX_REASON_LENGTH);
    }

    static void checkText(String name, String text, int max) {
        int length = text.codePointCount(0, text.length());
        Checks.that(length <= max, name, length + " characters", "at most " + max);
        Checks.that(
                !INVISIBLE.matcher(text).find(),
                name,
                "contains a control or invisible character",
                "plain text on one line");
    }

    /** Returns the terms as text, for example "ann: new kernel, until 2026-01-01T12:00:00Z". */
    public String text() {
        return authorAndReason()
                + until.map(end -> ", until " + end.truncatedTo(ChronoUnit.SECONDS))
                        .orElse("");
    }

    /** Returns author and reason, such as "ann: new kernel". */
    public String authorAndReason() {
        return StateOverride.authorAndReason(author, reason);
    }

    public boolean hasExpired(Instant now) {
        return until.isPresent() && !now.isBefore(until.get());
    }
}
