package io.ballast.net.tls;

import io.ballast.core.FileState;
import java.nio.file.Path;
import java.util.List;

/**
 * Polls a list of files for changes.
 *
 * <p>Thread safety: confined to the polling thread. Cost: one file system access per file.
 */
final class WatchedFiles {

    private final List<Path> files;
    private List<FileState> lastStates = List.of();

    WatchedFiles(List<Path> files) {
        this.files = List.copyOf(files);
    }

    /** Whether a file has changed since the last call. The first call returns true if there are any files. */
    boolean haveChanged() {
        List<FileState> now = files.stream().map(FileState::of).toList();
        if (now.equals(lastStates)) {
            return false;
        }
        // Stored before the files are read, so that a change during the read is detected next time.
        lastStates = now;
        return true;
    }
}
