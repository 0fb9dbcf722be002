package io.ballast.server.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Selects the directory where Netty unpacks its native libraries. The default is the temporary directory.
 * If that is mounted {@code noexec}, no library can be loaded from it, and Netty falls back from io_uring
 * and epoll without a message.
 */
final class NativeDirectory {

    private static final Path MOUNTS = Path.of("/proc/self/mounts");
    private static final int MOUNT_POINT_FIELD = 1;
    private static final int MOUNT_OPTIONS_FIELD = 3;

    private NativeDirectory() {}

    /**
     * Returns a directory to use instead of the temporary directory. Empty if the temporary directory is usable,
     * if its usability cannot be determined, or if there is no other directory.
     */
    public static Optional<Path> findAlternative() {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
        String home = System.getProperty("user.home", "/");
        List<Path> others = List.of(
                Path.of(home, ".cache"),
                Path.of("/var/tmp"),
                Path.of("/dev/shm"),
                Path.of(home),
                Path.of(""),
                Path.of("/run"));
        try {
            return choose(Files.readAllLines(MOUNTS), temporary, others, Files::isWritable);
        } catch (IOException e) {
            // This system is not Linux, so no native library would be loaded from the directory.
            return Optional.empty();
        }
    }

    /** @param mounts the lines of {@code /proc/self/mounts} */
    public static Optional<Path> choose(
            List<String> mounts, Path temporary, List<Path> others, Predicate<Path> writable) {
        if (!isNoexec(mounts, temporary)) {
            return Optional.empty();
        }
        return others.stream()
                .map(Path::toAbsolutePath)
                .filter(writable)
                .filter(other -> !isNoexec(mounts, other))
                .findFirst();
    }

    /**
     * Whether the file system that holds a directory is mounted {@code noexec}. If several mounts contain the
     * directory, the innermost one counts. If several of them have the same mount point, the last one counts.
     */
    private static boolean isNoexec(List<String> mounts, Path directory) {
        int depth = -1;
        boolean forbids = false;
        for (String line : mounts) {
            String[] fields = line.split(" ", MOUNT_OPTIONS_FIELD + 2);
            if (fields.length <= MOUNT_OPTIONS_FIELD) {
                continue;
            }
            // In the list of mounts, a space in a path is written as an octal number.
            Path point = Path.of(fields[MOUNT_POINT_FIELD].replace("\\040", " "));
            if (directory.toAbsolutePath().startsWith(point) && point.getNameCount() >= depth) {
                depth = point.getNameCount();
                forbids = List.of(fields[MOUNT_OPTIONS_FIELD].split(",")).contains("noexec");
            }
        }
        return forbids;
    }
}
