package io.ballast.config.yaml;

import java.util.regex.Pattern;

/**
 * One error or warning about a file.
 *
 * @param place the position of the problem
 * @param path the path of keys to the problem, for example {@code pools.web.backends[0].weight}; empty for
 *     the whole file
 * @param message the description, in one line
 */
public record Problem(SourcePosition place, String path, String message) {

    /** Control characters, which could break the line or control a terminal. */
    private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\u0080-\u009f]");

    public Problem {
        path = oneLine(path);
        message = oneLine(message);
    }

    /** Prints {@code file:line:column: path: message}. */
    @Override
    public String toString() {
        return path.isEmpty() ? place + ": " + message : place + ": " + path + ": " + message;
    }

    private static String oneLine(String text) {
        return CONTROL.matcher(text).replaceAll(" ");
    }
}
