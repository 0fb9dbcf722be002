package io.ballast.config.load;

import io.ballast.core.FileState;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The files of a configuration, readable or not: the main file, included files, zone files with their
 * includes, and text files such as maintenance pages.
 *
 * @param files the state of each file just before it was read, by absolute path; links are not followed, and
 *     the main file is first
 * @param included the files that each include pattern matched, so that added files are noticed
 */
public record Sources(Map<Path, FileState> files, Map<Include, List<Path>> included) {

    /** A pattern and the file that contains it. */
    public record Include(Path file, String pattern) {}

    /** The sources of a configuration that uses no files. */
    public static final Sources NONE = new Sources(Map.of(), Map.of());

    public Sources {
        files = Collections.unmodifiableMap(files);
        included = Collections.unmodifiableMap(included);
    }

    /**
     * Returns the same files and patterns with their current state. Cost: reads the attributes of each file, and the
     * directory of each pattern.
     */
    public Sources withCurrentState() {
        Map<Path, FileState> states = new LinkedHashMap<>();
        files.keySet().forEach(file -> states.put(file, FileState.of(file)));
        return new Sources(states, currentMatches());
    }

    /** Returns the files that each include pattern matches now. */
    Map<Include, List<Path>> currentMatches() {
        Map<Include, List<Path>> matches = new LinkedHashMap<>();
        included.keySet()
                .forEach(include -> matches.put(include, FilePattern.findFiles(include.file(), include.pattern())));
        return matches;
    }

    /** Returns these files and patterns, plus those that only {@code others} contains. */
    public Sources mergedWith(Sources others) {
        Map<Path, FileState> states = new LinkedHashMap<>(files);
        others.files.forEach(states::putIfAbsent);
        Map<Include, List<Path>> matches = new LinkedHashMap<>(included);
        others.included.forEach(matches::putIfAbsent);
        return new Sources(states, matches);
    }
}
