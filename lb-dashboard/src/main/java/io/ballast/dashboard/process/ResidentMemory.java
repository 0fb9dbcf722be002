package io.ballast.dashboard.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The resident memory of this process, as Linux reports it. */
public final class ResidentMemory {

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String FIELD = "VmRSS:";

    private ResidentMemory() {}

    /**
     * Returns the resident memory in bytes, 0 if the system does not report it. Reads {@code /proc}, so it never waits
     * for a disk.
     */
    public static long bytes() {
        if (!Files.isReadable(STATUS)) {
            return 0;
        }
        try {
            return Files.readAllLines(STATUS).stream()
                    .filter(line -> line.startsWith(FIELD))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            return 0;
        }
    }
}
