package io.ballast.net.listen;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the process's limit of open files. The JVM has already raised the soft limit to the hard limit. */
public final class OpenFileLimit {

    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final Pattern OPEN_FILES = Pattern.compile("^Max open files\\s+(\\d+)\\s", Pattern.MULTILINE);

    private OpenFileLimit() {}

    /** The soft limit; empty if there is none or it cannot be read. */
    public static OptionalLong read() {
        try {
            return of(Files.readString(LIMITS, StandardCharsets.US_ASCII));
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }

    static OptionalLong of(String limits) {
        Matcher line = OPEN_FILES.matcher(limits);
        return line.find() ? OptionalLong.of(Long.parseLong(line.group(1))) : OptionalLong.empty();
    }
}
