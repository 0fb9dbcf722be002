package io.ballast.config.load;

import io.ballast.config.form.Forms;
import io.ballast.config.key.ReadContext;
import io.ballast.config.longform.LongForm;
import io.ballast.config.shared.ConfigurationBundle;
import io.ballast.config.yaml.Node;
import io.ballast.config.yaml.Problem;
import io.ballast.config.yaml.Problems;
import io.ballast.config.yaml.Variables;
import io.ballast.core.ErrorText;
import io.ballast.core.RegularFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Collects the files of a configuration for a cluster: the main file, and the files below its directory that are
 * included or referenced by relative paths. Absolute paths, secrets, certificates and directories stay on the nodes.
 *
 * <p>The configuration need not be valid here, because the nodes check it with their own environment. An instance can
 * be used only once.
 */
public final class BundleCollector {

    private static final Pattern ZONE_INCLUDE =
            Pattern.compile("^\\$INCLUDE[ \\t]+\"?([^\\s\"]+)", Pattern.MULTILINE | Pattern.CASE_INSENSITIVE);

    private final Path main;
    private final Path directory;
    private final Variables variables;
    private final Map<String, byte[]> collected = new TreeMap<>();
    private final List<String> errors = new ArrayList<>();
    private long bytes;

    private BundleCollector(Path file, Function<String, @Nullable String> environment) {
        this.main = file.toAbsolutePath().normalize();
        this.directory = main.resolveSibling("");
        this.variables = new Variables(environment);
    }

    /** The files, or the reasons why they cannot be collected. */
    public record Result(@Nullable ConfigurationBundle bundle, List<String> errors) {}

    /**
     * Collects the files of a configuration. Variables are not replaced in them; the environment is only used to find
     * the files.
     */
    public static Result collect(Path file, Function<String, @Nullable String> environment) {
        return new BundleCollector(file, environment).collect();
    }

    private Result collect() {
        Problems problems = new Problems();
        FileTree files = new FileTree(variables, problems);
        files.read(main, FileText.OF_FILE).ifPresent(this::collectReferenced);
        problems.errors().stream()
                .filter(BundleCollector::isAboutIncludes)
                .forEach(problem -> errors.add(problem.toString()));
        collectIncluded(files.sources());
        if (!errors.isEmpty()) {
            return new Result(/* bundle= */ null, errors.stream().distinct().toList());
        }
        try {
            return new Result(ConfigurationBundle.of(relative(main), collected), List.of());
        } catch (IllegalArgumentException e) {
            return new Result(/* bundle= */ null, List.of(main + ": " + ErrorText.of(e)));
        }
    }

    private static boolean isAboutIncludes(Problem problem) {
        return problem.path().equals(LongForm.INCLUDE) || problem.path().startsWith(LongForm.INCLUDE + "[");
    }

    private void collectIncluded(Sources sources) {
        add(main, main.toString());
        Deque<Path> open = new ArrayDeque<>(List.of(main));
        while (!open.isEmpty()) {
            Path including = open.remove();
            sources.included().forEach((include, matches) -> {
                if (include.file().toAbsolutePath().normalize().equals(including)
                        && !include.pattern().startsWith("/")) {
                    for (Path match : matches) {
                        Path included = match.toAbsolutePath().normalize();
                        if (!collected.containsKey(relative(included))) {
                            add(included, including + ": include: " + include.pattern());
                            open.add(included);
                        }
                    }
                }
            });
        }
    }

    /** Reads the configuration with the overrides of each node in turn, so that files named in overrides are found. */
    private void collectReferenced(Node root) {
        if (!(root instanceof Node.Mapping mapping)) {
            return;
        }
        Map<Path, Node> contents = new LinkedHashMap<>();
        ReadContext overrides = new ReadContext(new Problems(), /* complete= */ true);
        List<String> nodes = new ArrayList<>(mapping.entry(LongForm.NODES)
                .flatMap(entry -> LongForm.NODE_OVERRIDES.read(entry.value(), overrides))
                .orElse(Map.of())
                .keySet());
        nodes.add(""); // the configuration without overrides
        for (String node : nodes) {
            ReadContext reading = new ReadContext(new Problems(), /* complete= */ true);
            Forms.read(NodeOverrides.merge(mapping, Optional.of(node), List.of(), reading), reading);
            reading.contents().forEach(contents::putIfAbsent);
        }
        contents.forEach((file, named) -> {
            if (!isAbsoluteInclude(named)) {
                addWithZoneIncludes(file, named.place() + ": " + named.path());
            }
        });
    }

    /**
     * Whether the file that contains this node is outside of the directory of the main file. Such a file stays on the
     * nodes, and so do the files that it names.
     */
    private boolean isAbsoluteInclude(Node named) {
        return !Path.of(named.place().file()).toAbsolutePath().normalize().startsWith(directory);
    }

    private void addWithZoneIncludes(Path file, String place) {
        byte @Nullable [] content = add(file, place);
        if (content == null) {
            return;
        }
        Matcher matcher = ZONE_INCLUDE.matcher(new String(content, StandardCharsets.ISO_8859_1));
        while (matcher.find()) {
            String named = matcher.group(1);
            try {
                Path included = file.resolveSibling(named).normalize();
                if (!Path.of(named).isAbsolute() && !collected.containsKey(relative(included))) {
                    addWithZoneIncludes(included, file + ": $INCLUDE " + named);
                }
            } catch (InvalidPathException e) {
                errors.add(file + ": $INCLUDE " + named + " (expected: a path)");
            }
        }
    }

    /** Collects a file and returns its content; returns null after reporting an error. */
    private byte @Nullable [] add(Path file, String place) {
        if (!file.startsWith(directory)) {
            errors.add(place + ": " + file + " is not below the directory of the main file (expected: a path below "
                    + directory + ", or an absolute path, which each node reads from its own disk)");
            return null;
        }
        try (InputStream in = RegularFile.open(file)) {
            byte[] content = in.readNBytes(ConfigurationBundle.MAX_BYTES + 1);
            boolean fitted = bytes <= ConfigurationBundle.MAX_BYTES;
            bytes += content.length;
            if (bytes > ConfigurationBundle.MAX_BYTES) {
                if (fitted) { // report only the first file that exceeds the limit
                    errors.add(
                            place + ": " + file + ": the files of the configuration are too large (expected: at most "
                                    + ConfigurationBundle.MAX_BYTES
                                    + " bytes; with an absolute path, a large file stays on the nodes)");
                }
                return null;
            }
            collected.put(relative(file), content);
            return content;
        } catch (IOException e) {
            errors.add(place + ": " + file + " cannot be read: " + ErrorText.reason(e));
            return null;
        }
    }

    private String relative(Path file) {
        return directory.relativize(file).toString();
    }
}
