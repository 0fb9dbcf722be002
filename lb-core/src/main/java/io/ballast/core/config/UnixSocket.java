package io.ballast.core.config;

import io.ballast.core.Checks;
import java.util.regex.Pattern;

/**
 * A Unix socket, which only processes of this machine reach, by a name in the file system.
 *
 * @param path absolute, of printable ASCII characters without spaces, without empty segments, {@code .} and {@code ..}; at
 *     most {@value #MAX_PATH_BYTES} octets
 */
public record UnixSocket(String path) implements Address {

    /** What it is written with in front of the path. */
    public static final String SCHEME = "unix:";

    /** The system keeps 108 octets for a path, of which the last is 0. */
    public static final int MAX_PATH_BYTES = 107;

    /** As a regular expression. */
    public static final String PATH = "(/(?!\\.{1,2}(/|$))[!-.0-~]+)+";

    private static final String LOCALHOST = "localhost";

    private static final Pattern PATTERN = Pattern.compile(PATH);

    public UnixSocket {
        Checks.that(
                PATTERN.matcher(path).matches(),
                "path",
                path,
                "an absolute path of printable ASCII characters, without spaces, '//', '.' and '..'");
        Checks.that(path.length() <= MAX_PATH_BYTES, "path", path, "at most " + MAX_PATH_BYTES + " octets");
    }

    @Override
    public String host() {
        return LOCALHOST;
    }

    @Override
    public String authority() {
        return LOCALHOST;
    }

    /** Prints {@code unix:/path}. */
    @Override
    public String toString() {
        return SCHEME + path;
    }
}
