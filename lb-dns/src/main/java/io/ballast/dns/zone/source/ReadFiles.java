package io.ballast.dns.zone.source;

import io.ballast.core.FileState;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The files that a zone was read from, its own and those that it includes, as they were then. Filled by the thread that
 * reads; from then on it is only read. Cost: one look at the file system for each file.
 */
final class ReadFiles {

    private final Map<Path, FileState> states = new LinkedHashMap<>();

    /** Notes a file before it is read: what changes meanwhile counts as a change afterwards. */
    void opening(Path file) {
        states.computeIfAbsent(file, FileState::of);
    }

    void copyTo(ReadFiles others) {
        others.states.putAll(states);
    }

    /** Each as it was just before it was read. */
    Map<Path, FileState> states() {
        return Map.copyOf(states);
    }

    /** Whether they are the same files as when they were read. */
    boolean areUnchanged() {
        return states.entrySet().stream()
                .allMatch(file -> FileState.of(file.getKey()).equals(file.getValue()));
    }
}
