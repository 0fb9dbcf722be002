package io.ballast.config.imports.divisor;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.ImportException;
import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.ImportedConfig;
import io.ballast.config.imports.ImportedText;
import io.ballast.config.imports.Importer;
import io.ballast.config.yaml.Node;
import io.ballast.config.yaml.Problems;
import io.ballast.config.yaml.Variables;
import io.ballast.config.yaml.YamlReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Imports Divisor configuration files. Ballast's short form accepts most of them unchanged. This importer converts them
 * to the long form, with Divisor's defaults if they differ from Ballast's. Thread safety: immutable.
 */
public final class DivisorImporter implements Importer {

    @Override
    public ImportedConfig read(Path file, ImportReport report) throws ImportException {
        Problems problems = new Problems();
        // Divisor has no variables, so a dollar sign is literal.
        String text = ImportedText.of(file).replace("$", "$$");
        Optional<Node> root = new YamlReader(file.toString(), new Variables(name -> null), problems).read(text);
        if (problems.hasErrors() || !(root.orElse(null) instanceof Node.Mapping mapping)) {
            throw new ImportException(
                    problems.errors().isEmpty()
                            ? file + " is not a YAML mapping"
                            : problems.errors().get(0).toString());
        }
        Map<String, Directive> keys = new LinkedHashMap<>();
        collect(mapping, "", keys);
        report.registerDirectives(new ArrayList<>(keys.values()));
        Path directory = file.toAbsolutePath().getParent();
        return new DivisorFile(keys, directory == null ? Path.of("/") : directory, report).config();
    }

    /** Collects all scalars and lists of scalars into {@code keys}, each keyed by its dotted path. */
    private static void collect(Node node, String path, Map<String, Directive> keys) {
        if (node instanceof Node.Mapping mapping) {
            mapping.entries()
                    .forEach((key, entry) -> collect(entry.value(), path.isEmpty() ? key : path + "." + key, keys));
        } else if (node instanceof Node.Sequence list) {
            for (int i = 0; i < list.items().size(); i++) {
                collect(list.items().get(i), path + "[" + i + "]", keys);
            }
        } else if (node instanceof Node.Scalar scalar) {
            List<String> words = List.of(path, scalar.text());
            keys.put(path, new Directive(scalar.place().file(), scalar.place().line(), words, List.of()));
        }
    }
}
