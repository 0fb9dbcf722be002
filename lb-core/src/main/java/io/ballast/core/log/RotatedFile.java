package io.ballast.core.log;

import io.ballast.core.Checks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A log file that is renamed to {@code name.1} when it reaches its size limit. Older files become {@code
 * name.2} and so on, and the oldest is deleted. Other programs may also rotate the file, as with a {@link
 * FileTarget}.
 *
 * <p>Bounds: no file grows beyond the given size, unless a single entry is larger. Errors: while the file
 * cannot be renamed, writing fails. Thread safety: confined to the thread that writes.
 */
public final class RotatedFile implements LogTarget {

    private final Path path;
    private final long maxBytes;
    private final int maxRotatedFiles;
    private final FileTarget file;
    private long bytes;

    private RotatedFile(Path path, long maxBytes, int keep, FileTarget file) throws IOException {
        this.path = path;
        Checks.that(maxBytes > 0, "maxBytes", maxBytes, "> 0");
        this.maxBytes = maxBytes;
        this.maxRotatedFiles = Checks.atLeast(keep, 0, "keep");
        this.file = file;
        this.bytes = Files.size(path);
    }

    /**
     * Opens the file, and creates it if needed; its directory must exist.
     *
     * @param maxBytes size limit of the file
     * @param keep number of rotated files that are kept
     */
    public static RotatedFile open(Path path, long maxBytes, int keep) throws IOException {
        return new RotatedFile(path, maxBytes, keep, FileTarget.open(path));
    }

    /**
     * Opens the file like {@link #open(Path, long, int)}, for files with a head and a tail: an existing file is
     * rotated first.
     *
     * @param head first bytes of each file
     * @param tail last bytes of each file, written when it is closed
     */
    public static RotatedFile open(Path path, long maxBytes, int keep, byte[] head, byte[] tail) throws IOException {
        if (Files.exists(path) && Files.size(path) > 0) {
            moveAside(path, keep);
        }
        return new RotatedFile(path, maxBytes, keep, FileTarget.open(path, head, tail));
    }

    @Override
    public void write(byte[] entries, int length) throws IOException {
        if (bytes > 0 && bytes + length > maxBytes) {
            rotate();
        }
        file.write(entries, length);
        bytes += length;
    }

    private void rotate() throws IOException {
        file.close();
        moveAside(path, maxRotatedFiles);
        bytes = 0;
    }

    private static void moveAside(Path path, int keep) throws IOException {
        if (keep == 0) {
            Files.deleteIfExists(path);
        } else if (Files.exists(path)) {
            for (int age = keep - 1; age > 0; age--) {
                if (Files.exists(rotatedPath(path, age))) {
                    Files.move(rotatedPath(path, age), rotatedPath(path, age + 1), StandardCopyOption.REPLACE_EXISTING);
                }
            }
            Files.move(path, rotatedPath(path, 1), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static Path rotatedPath(Path path, int age) {
        return path.resolveSibling(path.getFileName() + "." + age);
    }

    @Override
    public void refresh() throws IOException {
        file.refresh();
        bytes = Files.exists(path) ? Files.size(path) : 0;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
