package io.ballast.net.tls;

import io.ballast.core.FileState;
import java.nio.file.Path;
import java.util.List;

/**
 * Files that are looked at from time to time, to see whether one of them has changed.
 *
 * <p>Thread safety: confined to the thread that looks. Cost: one look at the file system for each.
 */
final class WatchedFiles {

    private final List<Path> files;
    private List<FileState> seen = List.of();

    WatchedFiles(List<Path> files) {
        this.files = List.copyOf(files);
    }

    /** Whether one has changed since the last call; at the first call they have, if there are any. */
    boolean haveChanged() {
        List<FileState> now = files.stream().map(FileState::of).toList();
        if (now.equals(seen)) {
            return false;
        }
        // Noted before they are read: what changes meanwhile is read once more.
        seen = now;
        return true;
    }
}
