package io.ballast.dns.zonefile;

import java.util.regex.Pattern;

/**
 * One thing that is wrong, or worth a warning, in a zone file.
 *
 * @param place where
 * @param message what, in one line
 */
public record FileProblem(FilePlace place, String message) {

    /** What could break the line, or play with a terminal. */
    private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\u0080-\u009f]");

    public FileProblem {
        message = CONTROL.matcher(message).replaceAll("?");
    }

    /** What it is, and where the file was included. */
    public String text() {
        return message + place.inclusions();
    }

    /** Prints {@code file:line:column: message}. */
    @Override
    public String toString() {
        return place + ": " + text();
    }
}
