package io.ballast.dns.config;

import io.ballast.core.Checks;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How answered queries are logged.
 *
 * @param enabled whether anything is: in memory, in files, in statistics, and to those who look on; dnstap is apart
 * @param file to which they are appended; absent to write none
 * @param format how a query is written there
 * @param rotate when the file is set aside
 * @param authority whether those are logged, too, that zones answer, and those that are refused because none does
 * @param clients what is told of who asked
 * @param sample one in so many is logged, 1 to {@value #MOST_SAMPLE}
 * @param memory how many of the last ones can be looked at, 0 to {@value #MOST_MEMORY}
 */
public record DnsQueryLogConfig(
        boolean enabled,
        Optional<Path> file,
        Format format,
        LogRotation rotate,
        boolean authority,
        Clients clients,
        int sample,
        int memory) {

    public static final int MOST_SAMPLE = 1_000_000;
    public static final int MOST_MEMORY = 100_000;
    public static final int DEFAULT_MEMORY = 1_000;

    public static final DnsQueryLogConfig DEFAULT = plain(/* enabled= */ true, DEFAULT_MEMORY);

    /** Nothing is logged or counted. */
    public static final DnsQueryLogConfig OFF = plain(/* enabled= */ false, /* memory= */ 0);

    public DnsQueryLogConfig {
        Checks.between(sample, 1, MOST_SAMPLE, "sample");
        Checks.between(memory, 0, MOST_MEMORY, "memory");
    }

    private static DnsQueryLogConfig plain(boolean enabled, int memory) {
        return new DnsQueryLogConfig(
                enabled,
                Optional.empty(),
                Format.JSON,
                LogRotation.DEFAULT,
                /* authority= */ false,
                Clients.FULL,
                /* sample= */ 1,
                memory);
    }

    /** How a query is written. */
    public enum Format {
        /** One JSON object in a line. */
        JSON,
        /** Words in a line, in the same order in every line. */
        TEXT
    }

    /** What is told of who asked, from all to nothing. */
    public enum Clients {
        /** The address. */
        FULL,
        /** The network: /24 for IPv4, /48 for IPv6. */
        ANONYMOUS,
        /** Nothing. */
        NONE
    }
}
