package io.ballast.dns.config;

import io.ballast.core.Checks;

/**
 * The rotation of a log file.
 *
 * @param sizeBytes maximum size of the file, {@value #MIN_SIZE_BYTES} or more
 * @param keep number of older files that are kept, 0 to {@value #MAX_KEPT}
 */
public record LogRotation(int sizeBytes, int keep) {

    public static final int MIN_SIZE_BYTES = 64 * 1024;
    public static final int MAX_SIZE_BYTES = 1024 * 1024 * 1024;
    public static final int MAX_KEPT = 1000;

    public static final LogRotation DEFAULT = new LogRotation(100 * 1024 * 1024, /* keep= */ 5);

    public LogRotation {
        Checks.between(sizeBytes, MIN_SIZE_BYTES, MAX_SIZE_BYTES, "size");
        Checks.between(keep, 0, MAX_KEPT, "keep");
    }
}
