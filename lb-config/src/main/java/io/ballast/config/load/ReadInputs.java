package io.ballast.config.load;

import io.ballast.config.yaml.Problem;
import io.ballast.core.FileState;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything from which a configuration was read, except zone files. If it is unchanged, the configuration need not be
 * parsed again: parsing takes most of the time of a reload with thousands of zones. Immutable.
 *
 * @param texts the content of the configuration files
 * @param sources the matches of include patterns, and the states of further files, such as pages
 * @param warnings the warnings about the configuration without those about zone files
 * @param isComplete whether these inputs determine the result completely
 */
record ReadInputs(Map<Path, byte[]> texts, Sources sources, List<Problem> warnings, boolean isComplete) {

    ReadInputs {
        texts = Map.copyOf(texts);
        warnings = List.copyOf(warnings);
    }

    /**
     * Returns the sources with the current states of the configuration files if all inputs are unchanged. Cost: reads
     * the configuration files, and the attributes of the other files.
     */
    Optional<Sources> currentIfUnchanged() {
        if (!isComplete || !sources.currentMatches().equals(sources.included())) {
            return Optional.empty();
        }
        Map<Path, FileState> current = new LinkedHashMap<>();
        for (Map.Entry<Path, FileState> each : sources.files().entrySet()) {
            Path file = each.getKey();
            FileState state = FileState.of(file);
            byte[] before = texts.get(file);
            boolean isSame = before == null ? state.equals(each.getValue()) : FileText.OF_FILE.hasContent(file, before);
            if (!isSame) {
                return Optional.empty();
            }
            current.put(file, state);
        }
        return Optional.of(new Sources(current, sources.included()));
    }
}
