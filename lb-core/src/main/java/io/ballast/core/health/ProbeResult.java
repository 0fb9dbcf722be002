package io.ballast.core.health;

import java.time.Duration;
import java.util.regex.Pattern;

/**
 * What one check found.
 *
 * @param isVerdict false if the check could not be made for a reason of our own, so that it says nothing of the backend
 * @param ok whether the backend is fit
 * @param took from its start to the verdict
 * @param text the verdict in words: "connected", "200 OK", "connection refused", "no answer within 1s". It may quote the
 *     backend, and goes into logs: of a longer one the first {@value #MOST_TEXT} characters are kept, and a question mark stands
 *     for each that could end a line or is not seen
 */
public record ProbeResult(boolean isVerdict, boolean ok, Duration took, String text) {

    static final int MOST_TEXT = 200;

    private static final String CUT = "...";

    /** Control and format characters, ends of lines and paragraphs, halves of a character. */
    private static final Pattern UNSEEN = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]");

    public ProbeResult {
        text = readable(text);
    }

    /** A verdict. */
    public ProbeResult(boolean ok, Duration took, String text) {
        this(/* isVerdict= */ true, ok, took, text);
    }

    /** The check could not be made, for a reason of our own. */
    public static ProbeResult none(Duration took, String text) {
        return new ProbeResult(/* isVerdict= */ false, /* ok= */ false, took, text);
    }

    private static String readable(String text) {
        if (text.length() <= MOST_TEXT && isPlain(text)) {
            return text;
        }
        String kept = text.length() <= MOST_TEXT ? text : text.substring(0, MOST_TEXT) + CUT;
        return UNSEEN.matcher(kept).replaceAll("?");
    }

    /** Whether all of it is printable ASCII, as nearly every verdict is: looking costs less than the expression. */
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
