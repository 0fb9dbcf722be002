package io.ballast.dns.zone.source;

import io.ballast.core.FileState;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The files that a zone was read from, including its includes, with their state at that time. Filled by the reading
 * thread; afterwards it is only read. Cost: one file system access for each file.
 */
final class ReadFiles {

    private final Map<Path, FileState> states = new LinkedHashMap<>();

    /** Records the state of a file before it is read, so that a change during reading is detected later. */
    void addFile(Path file) {
        states.computeIfAbsent(file, FileState::of);
    }

    void copyTo(ReadFiles others) {
        others.states.putAll(states);
    }

    /** The state of each file just before it was read. */
    Map<Path, FileState> states() {
        return Map.copyOf(states);
    }

    /** Whether all files are unchanged since they were read. */
    boolean areUnchanged() {
        return states.entrySet().stream()
                .allMatch(file -> FileState.of(file.getKey()).equals(file.getValue()));
    }
}
