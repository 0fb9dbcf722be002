package io.ballast.dns.config;

import io.ballast.core.Checks;

/**
 * When a file that is written to is set aside.
 *
 * @param sizeBytes most that it has, {@value #LEAST_SIZE_BYTES} or more
 * @param keep how many older ones stay, 0 to {@value #MOST_KEPT}
 */
public record LogRotation(int sizeBytes, int keep) {

    public static final int LEAST_SIZE_BYTES = 64 * 1024;
    public static final int MOST_SIZE_BYTES = 1024 * 1024 * 1024;
    public static final int MOST_KEPT = 1000;

    public static final LogRotation DEFAULT = new LogRotation(100 * 1024 * 1024, /* keep= */ 5);

    public LogRotation {
        Checks.between(sizeBytes, LEAST_SIZE_BYTES, MOST_SIZE_BYTES, "size");
        Checks.between(keep, 0, MOST_KEPT, "keep");
    }
}
