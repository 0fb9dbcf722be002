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

    /** Adds each file with its state just before it was read. */
    void addTo(Map<Path, FileState> all) {
        all.putAll(states);
    }

    /** Whether all files are unchanged since they were read. */
    boolean areUnchanged() {
        for (Map.Entry<Path, FileState> file : states.entrySet()) {
            if (!FileState.of(file.getKey()).equals(file.getValue())) {
                return false;
            }
        }
        return true;
    }
}
