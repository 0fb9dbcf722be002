package io.ballast.dns.zonefile;

import java.util.regex.Pattern;

/**
 * An error or a warning about a zone file.
 *
 * @param place the position in the file
 * @param message the problem, in one line
 */
public record FileProblem(ZoneFilePosition place, String message) {

    /** Control characters, which could break the line or control a terminal. */
    private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\u0080-\u009f]");

    public FileProblem {
        message = CONTROL.matcher(message).replaceAll("?");
    }

    /** Returns the problem with its position and the chain of includes that leads to the file. */
    public String text() {
        return message + place.inclusions();
    }

    /** Prints {@code file:line:column: message}. */
    @Override
    public String toString() {
        return place + ": " + text();
    }
}
