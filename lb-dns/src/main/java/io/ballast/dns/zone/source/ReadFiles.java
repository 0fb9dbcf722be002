package io.ballast.dns.zone.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The files that a zone was read from, its own and those that it includes, as they were then. Filled by the thread that
 * reads; from then on it is only read. Cost: one look at the file system for each file.
 */
final class ReadFiles {

    private final Map<Path, Object> states = new LinkedHashMap<>();

    /** Notes a file before it is read: what changes meanwhile counts as a change afterwards. */
    void opening(Path file) {
        states.putIfAbsent(file, state(file));
    }

    void copyTo(ReadFiles others) {
        others.states.putAll(states);
    }

    /** Whether they are the same files as when they were read, by time, size and identity. */
    boolean areUnchanged() {
        return states.entrySet().stream().allMatch(file -> state(file.getKey()).equals(file.getValue()));
    }

    private static Object state(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return List.of(attributes.lastModifiedTime(), attributes.size(), Optional.ofNullable(attributes.fileKey()));
        } catch (IOException e) {
            return "unreadable";
        }
    }
}
