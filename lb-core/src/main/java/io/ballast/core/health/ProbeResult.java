package io.ballast.core.health;

import java.time.Duration;
import java.util.regex.Pattern;

/**
 * The result of one check.
 *
 * @param isConclusive false if the check could not run because of a local problem, so that the backend's
 *     health is unknown
 * @param ok whether the check succeeded
 * @param duration the duration
 * @param text the result in words: "connected", "200 OK", "connection refused", "no answer within 1s". It may
 *     quote the backend and is logged. So it is truncated to {@value #MAX_TEXT} characters, and each line end
 *     or invisible character is replaced by a question mark
 */
public record ProbeResult(boolean isConclusive, boolean ok, Duration duration, String text) {

    static final int MAX_TEXT = 200;

    private static final String CUT = "...";

    /** Control and format characters, line and paragraph separators, and surrogates. */
    private static final Pattern INVISIBLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]");

    public ProbeResult {
        text = readable(text);
    }

    /** Creates the result of a check that has determined the health of the backend. */
    public ProbeResult(boolean ok, Duration duration, String text) {
        this(/* isConclusive= */ true, ok, duration, text);
    }

    /** Returns the result of a check that could not run for a local reason. */
    public static ProbeResult skipped(Duration took, String text) {
        return new ProbeResult(/* isConclusive= */ false, /* ok= */ false, took, text);
    }

    private static String readable(String text) {
        if (text.length() <= MAX_TEXT && isPlain(text)) {
            return text;
        }
        String kept = text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + CUT;
        return INVISIBLE.matcher(kept).replaceAll("?");
    }

    /**
     * Returns whether the text is printable ASCII, as nearly all results are. This test is cheaper than the
     * regular expression.
     */
    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            if (each < ' ' || each > '~') {
                return false;
            }
        }
        return true;
    }
}
