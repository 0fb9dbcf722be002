package io.ballast.net.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;

/**
 * Files that are looked at from time to time, to see whether one of them has changed.
 *
 * <p>Thread safety: confined to the thread that looks. Cost: one look at the file system for each.
 */
final class WatchedFiles {

    private final List<Path> files;
    private List<Object> seen = List.of();

    WatchedFiles(List<Path> files) {
        this.files = List.copyOf(files);
    }

    /** Whether one has changed since the last call; at the first call they have, if there are any. */
    boolean haveChanged() {
        List<Object> now = files.stream().map(WatchedFiles::state).toList();
        if (now.equals(seen)) {
            return false;
        }
        // Noted before they are read: what changes meanwhile is read once more.
        seen = now;
        return true;
    }

    /** What changes with a file's content, or with a link's target. */
    private static Object state(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return List.of(attributes.lastModifiedTime(), attributes.size(), Optional.ofNullable(attributes.fileKey()));
        } catch (IOException e) {
            return "unreadable";
        }
    }
}
