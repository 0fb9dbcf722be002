package io.ballast.config.load;

import io.ballast.config.key.Located;
import io.ballast.config.key.ReadContext;
import io.ballast.config.longform.LongForm;
import io.ballast.config.yaml.Node;
import io.ballast.config.yaml.Problems;
import io.ballast.config.yaml.SourcePosition;
import io.ballast.config.yaml.Variables;
import io.ballast.config.yaml.YamlReader;
import io.ballast.core.FileState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads a file and its includes into one tree. Thread safety: confined to one thread. An instance can be used
 * only once.
 */
final class FileTree {

    private final Variables variables;
    private final Problems problems;
    private final ReadContext reading;
    private final Map<Path, FileState> files = new LinkedHashMap<>();
    private final Map<Path, byte[]> texts = new HashMap<>();
    private final Map<Sources.Include, List<Path>> includes = new LinkedHashMap<>();
    private final Map<Path, SourcePosition> firstReferences = new HashMap<>();
    private boolean complete = true;

    FileTree(Variables variables, Problems problems) {
        this.variables = variables;
        this.problems = problems;
        this.reading = new ReadContext(problems, /* complete= */ true);
    }

    /**
     * Returns the merged root; returns empty after reporting an error if the main file is not readable as YAML.
     */
    Optional<Node> read(Path file, FileText text) {
        SourcePosition place = SourcePosition.of(file.toString());
        firstReferences.put(identity(file), place);
        return parse(file, text, place)
                .map(root -> root instanceof Node.Mapping mapping ? withIncluded(mapping, file) : root);
    }

    /** Returns all files of the tree, the main file first, and the files that each include pattern matched. */
    Sources sources() {
        return new Sources(files, includes);
    }

    /** Returns the content of the files that could be read, by absolute path. */
    Map<Path, byte[]> texts() {
        return texts;
    }

    /** Returns whether all files of the configuration were read into the tree. */
    boolean isComplete() {
        return complete;
    }

    private Optional<Node> parse(Path file, FileText source, SourcePosition place) {
        files.put(file.toAbsolutePath(), FileState.of(file));
        return source.read(file, place, problems, content -> texts.put(file.toAbsolutePath(), content))
                .flatMap(text -> new YamlReader(file.toString(), variables, problems).read(text));
    }

    private Node.Mapping withIncluded(Node.Mapping root, Path file) {
        Node.Entry include = root.entries().get(LongForm.INCLUDE);
        if (include == null) {
            return root;
        }
        ConfigMerger merge = new ConfigMerger(problems);
        merge.add(root);
        for (Located<Path> included : included(include.value(), file)) {
            include(included).ifPresent(merge::add);
        }
        return merge.result(root);
    }

    private List<Located<Path>> included(Node node, Path file) {
        List<Located<Path>> files = new ArrayList<>();
        Optional<List<Located<String>>> patterns = LongForm.INCLUDED.read(node, reading);
        complete &= patterns.isPresent();
        for (Located<String> pattern : patterns.orElse(List.of())) {
            List<Path> matches = FilePattern.findFiles(file, pattern.value());
            includes.put(new Sources.Include(file, pattern.value()), matches);
            if (matches.isEmpty()) {
                reading.warning(pattern.node(), "no file matches");
            }
            matches.forEach(match -> files.add(new Located<>(match, pattern.node())));
        }
        return files;
    }

    private Optional<Node.Mapping> include(Located<Path> included) {
        SourcePosition place = included.node().place();
        SourcePosition first = firstReferences.putIfAbsent(identity(included.value()), place);
        if (first != null) {
            reading.error(
                    included.node(),
                    included.value() + " is included twice or includes itself (first at " + first + ")");
            return Optional.empty();
        }
        Optional<Node> root = parse(included.value(), FileText.OF_FILE, place);
        root.filter(other -> !(other instanceof Node.Mapping))
                .ifPresent(other -> reading.mismatch(other, "a mapping with keys such as 'pools'"));
        Optional<Node.Mapping> mapping =
                root.filter(Node.Mapping.class::isInstance).map(Node.Mapping.class::cast);
        complete &= mapping.isPresent();
        return mapping.map(found -> withIncluded(found, included.value()));
    }

    /** Returns a path that is the same for all names of a file, including symbolic links. */
    private static Path identity(Path file) {
        try {
            return file.toRealPath();
        } catch (IOException e) {
            return file.toAbsolutePath().normalize();
        }
    }
}
