package io.ballast.core.config;

import io.ballast.core.Checks;
import java.util.regex.Pattern;

/**
 * A Unix socket in the file system.
 *
 * @param path an absolute path of printable ASCII characters, at most {@value #MAX_PATH_BYTES} bytes; without
 *     spaces, empty segments, {@code .} and {@code ..}
 */
public record UnixSocket(String path) implements Address {

    /** The prefix that marks a Unix socket path in configuration files. */
    public static final String SCHEME = "unix:";

    /** The system reserves 108 bytes for a path, including the final zero byte. */
    public static final int MAX_PATH_BYTES = 107;

    /** A regular expression for valid paths. */
    public static final String PATH = "(/(?!\\.{1,2}(/|$))[!-.0-~]+)+";

    private static final String LOCALHOST = "localhost";

    private static final Pattern PATTERN = Pattern.compile(PATH);

    public UnixSocket {
        Checks.that(
                PATTERN.matcher(path).matches(),
                "path",
                path,
                "an absolute path of printable ASCII characters, without spaces, '//', '.' and '..'");
        Checks.that(path.length() <= MAX_PATH_BYTES, "path", path, "at most " + MAX_PATH_BYTES + " bytes");
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
