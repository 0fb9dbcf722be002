package io.ballast.http.head;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A status line as text (RFC 9112 section 4), for callers that are not in a hurry. */
public final class StatusLine {

    private static final Pattern FORM = Pattern.compile("HTTP/1\\.[01] ([1-5][0-9][0-9])( [^\\p{Cntrl}]*)?");

    private StatusLine() {}

    /** The status in a line without its line end, or -1 if it is no status line of HTTP/1. */
    public static int status(String line) {
        Matcher matcher = FORM.matcher(line);
        return matcher.matches() ? Integer.parseInt(matcher.group(1)) : -1;
    }
}
