package io.ballast.dns.config;

import io.ballast.core.Checks;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How answered queries are logged.
 *
 * @param enabled whether queries are logged in memory and in a file, and used for statistics and the live
 *     view; dnstap is configured separately
 * @param file the log file; absent for none
 * @param format the format of the file
 * @param rotate the rotation of the file
 * @param authority whether authoritative answers and refused queries are also logged
 * @param clients the part of client addresses that is logged
 * @param sample one of this many queries is logged, 1 to {@value #MAX_SAMPLE}
 * @param memory the number of recent queries in memory, 0 to {@value #MAX_MEMORY}
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

    public static final int MAX_SAMPLE = 1_000_000;
    public static final int MAX_MEMORY = 100_000;
    public static final int DEFAULT_MEMORY = 1_000;

    public static final DnsQueryLogConfig DEFAULT = plain(/* enabled= */ true, DEFAULT_MEMORY);

    /** Settings with which no query is logged or counted. */
    public static final DnsQueryLogConfig OFF = plain(/* enabled= */ false, /* memory= */ 0);

    public DnsQueryLogConfig {
        Checks.between(sample, 1, MAX_SAMPLE, "sample");
        Checks.between(memory, 0, MAX_MEMORY, "memory");
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

    /** The format of a logged query. */
    public enum Format {
        /** One JSON object per line. */
        JSON,
        /** One line of fields per query, always in the same order. */
        TEXT
    }

    /** The part of client addresses that is logged. */
    public enum Clients {
        /** The whole client address is logged. */
        FULL,
        /** Only the client's network is logged: /24 for IPv4, /48 for IPv6. */
        ANONYMOUS,
        /** No part of the client address is logged. */
        NONE
    }
}
