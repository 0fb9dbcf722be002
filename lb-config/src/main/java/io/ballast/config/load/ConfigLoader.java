package io.ballast.config.load;

import io.ballast.config.BallastConfig;
import io.ballast.config.form.Forms;
import io.ballast.config.key.FileLocations;
import io.ballast.config.key.ReadContext;
import io.ballast.config.shared.SharedCopy;
import io.ballast.config.shared.SharedVersion;
import io.ballast.config.yaml.Node;
import io.ballast.config.yaml.Problems;
import io.ballast.config.yaml.SourcePosition;
import io.ballast.config.yaml.Variables;
import io.ballast.core.ErrorText;
import io.ballast.core.FileState;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.zone.CompiledZones;
import io.ballast.dns.zone.source.ZoneFindings;
import io.ballast.dns.zone.source.ZoneProblem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads configuration files. Thread safety: immutable; loads are independent of each other. */
public final class ConfigLoader {

    private final Variables variables;

    /**
     * Creates a loader that replaces {@code ${NAME}} in files by the result of {@code environment}, which returns
     * null for an unset name.
     */
    public ConfigLoader(Function<String, @Nullable String> environment) {
        this.variables = new Variables(environment);
    }

    /** Returns a loader that uses the environment of the process. */
    public static ConfigLoader ofProcess() {
        return new ConfigLoader(System::getenv);
    }

    /**
     * Reads a file and its includes. Accesses only files: no name is resolved and no port is bound.
     *
     * @throws ConfigException with all problems
     */
    public LoadedConfig load(Path file) throws ConfigException {
        return load(file, Optional.empty());
    }

    /**
     * Reads a configuration from a stream until the stream ends. Files that the configuration names are resolved
     * against the working directory.
     *
     * @param name the name of the source in messages
     * @throws ConfigException with all problems
     */
    public LoadedConfig load(String name, InputStream text) throws ConfigException {
        return load(name, text, Optional.empty());
    }

    /**
     * Like {@link #load(String, InputStream)}, but applies the overrides of a node as {@link #load(Path, Optional)}
     * does.
     */
    public LoadedConfig load(String name, InputStream text, Optional<String> node) throws ConfigException {
        return load(Path.of(name), FileText.of(text), node);
    }

    /**
     * Like {@link #load(Path)}, but applies the overrides of the node {@code node}.
     *
     * @param node the name of the node; if empty, the name in the node certificate that the file refers to
     */
    public LoadedConfig load(Path file, Optional<String> node) throws ConfigException {
        return load(file, FileText.OF_FILE, node);
    }

    /**
     * Like {@link #load(Path)}, but does not parse the configuration again if its files have not changed since they
     * were read. Zone files are always checked. Both loads must use the same environment.
     *
     * @param before the result of an earlier load of the same file
     */
    public LoadedConfig load(Path file, LoadedConfig before) throws ConfigException {
        Optional<LoadedConfig> same = before.version().isPresent() ? Optional.empty() : reuse(file, before);
        return same.isPresent() ? same.get() : load(file);
    }

    /**
     * Reads the configuration that a node uses. This is the active version of its cluster, combined with {@code
     * cluster} and {@code data_dir} from the node's own file. The node's own file alone is used if there is no version,
     * or if that file contains {@code configuration: local}.
     *
     * @param own the node's own file
     * @param damaged receives the reason if the active version cannot be read; the node's own file is then used
     * @throws ConfigException with all problems
     */
    public LoadedConfig loadInUse(Path own, Consumer<String> damaged) throws ConfigException {
        return loadInUse(own, /* recovers= */ false, damaged);
    }

    /**
     * Like {@link #loadInUse}, but first reverts a change of the version that the previous process did not complete.
     */
    public LoadedConfig loadAtStart(Path own, Consumer<String> damaged) throws ConfigException {
        return loadInUse(own, /* recovers= */ true, damaged);
    }

    private LoadedConfig loadInUse(Path own, boolean recovers, Consumer<String> damaged) throws ConfigException {
        Optional<LocalKeys> local = new FileTree(variables, new Problems())
                .read(own, FileText.OF_FILE)
                .filter(Node.Mapping.class::isInstance)
                .map(root -> new LocalKeys((Node.Mapping) root));
        if (local.filter(LocalKeys::isShared).isPresent()) {
            try {
                SharedCopy copy = SharedCopy.of(local.get().dataDir());
                if (recovers) {
                    copy.recover();
                }
                Optional<SharedCopy.Located> version = copy.verified();
                if (version.isPresent()) {
                    return load(own, version.get());
                }
            } catch (IOException e) {
                damaged.accept(ErrorText.of(e));
            }
        }
        return load(own);
    }

    /**
     * Reads a version of a cluster's configuration, combined with {@code cluster} and {@code data_dir} from the node's
     * own file.
     *
     * @throws ConfigException with all problems
     */
    public LoadedConfig load(Path own, SharedCopy.Located version) throws ConfigException {
        Problems problems = new Problems();
        FileTree files = new FileTree(variables, problems);
        Optional<Node> root = files.read(version.main(), FileText.OF_FILE);
        Problems ownProblems = new Problems();
        FileTree ownFiles = new FileTree(variables, ownProblems);
        Optional<Node> ownRoot = ownFiles.read(own, FileText.OF_FILE);
        ownProblems.errors().stream()
                .filter(problem -> LocalKeys.isAbout(problem.path()))
                .forEach(problem -> problems.error(problem.place(), problem.path(), problem.message()));
        FileLocations locations = FileLocations.ofVersion(
                version.directory(), own.toAbsolutePath().normalize().resolveSibling(""));
        ReadContext reading = new ReadContext(problems, files.isComplete(), locations);
        Optional<BallastConfig> config = root.flatMap(node -> {
            if (node instanceof Node.Mapping mapping && ownRoot.orElse(node) instanceof Node.Mapping other) {
                LocalKeys local = new LocalKeys(other);
                return Forms.read(
                        local.over(NodeOverrides.merge(mapping, local.node(), local.voters(), reading)), reading);
            }
            return Forms.read(node, reading);
        });
        Map<Path, byte[]> texts = new HashMap<>(files.texts());
        texts.putAll(ownFiles.texts());
        Sources sources =
                files.sources().mergedWith(ownFiles.sources()).mergedWith(new Sources(reading.textFiles(), Map.of()));
        if (config.isEmpty()) {
            throw new ConfigException(problems.errors(), problems.warnings(), sources);
        }
        ReadInputs inputs =
                new ReadInputs(texts, sources, problems.warnings(), /* isComplete= */ !reading.dependsOnOtherState());
        return withCheckedZones(
                version.main(), config.get(), problems, sources, inputs, Optional.of(version.version()));
    }

    /**
     * Like {@link #load(Path, SharedCopy.Located)}, but reuses an earlier result as {@link #load(Path, LoadedConfig)}
     * does.
     */
    public LoadedConfig load(Path own, SharedCopy.Located version, LoadedConfig before) throws ConfigException {
        Optional<LoadedConfig> same = before.version().equals(Optional.of(version.version()))
                ? reuse(version.main(), before)
                : Optional.empty();
        return same.isPresent() ? same.get() : load(own, version);
    }

    private static Optional<LoadedConfig> reuse(Path file, LoadedConfig before) throws ConfigException {
        Optional<Sources> current = before.inputs().currentIfUnchanged();
        if (current.isEmpty()) {
            return Optional.empty();
        }
        Problems problems = new Problems();
        before.inputs().warnings().forEach(known -> problems.warning(known.place(), known.path(), known.message()));
        // Zones are matched with their configuration by identity, so each load needs its own configuration object.
        Optional<DnsConfig> dns = before.config().dns().map(same -> same.withZones(same.zones()));
        return Optional.of(withCheckedZones(
                file, before.config().withDns(dns), problems, current.get(), before.inputs(), before.version()));
    }

    private LoadedConfig load(Path file, FileText main, Optional<String> node) throws ConfigException {
        Problems problems = new Problems();
        FileTree files = new FileTree(variables, problems);
        Optional<Node> root = files.read(file, main);
        ReadContext reading = new ReadContext(problems, files.isComplete());
        Optional<BallastConfig> config = root.flatMap(read -> Forms.read(withOverrides(read, node, reading), reading));
        Sources sources = files.sources().mergedWith(new Sources(reading.textFiles(), Map.of()));
        if (config.isEmpty()) {
            throw new ConfigException(problems.errors(), problems.warnings(), sources);
        }
        boolean isComplete = main.isFile() && !reading.dependsOnOtherState();
        ReadInputs inputs = new ReadInputs(files.texts(), sources, problems.warnings(), isComplete);
        return withCheckedZones(file, config.get(), problems, sources, inputs, Optional.empty());
    }

    private static Node withOverrides(Node root, Optional<String> node, ReadContext reading) {
        if (!(root instanceof Node.Mapping mapping) || !NodeOverrides.isPresent(mapping)) {
            return root;
        }
        reading.recordOtherDependency(); // the node's name comes from its certificate
        LocalKeys local = new LocalKeys(mapping);
        return NodeOverrides.merge(mapping, node.isPresent() ? node : local.node(), local.voters(), reading);
    }

    private static LoadedConfig withCheckedZones(
            Path file,
            BallastConfig config,
            Problems problems,
            Sources read,
            ReadInputs inputs,
            Optional<SharedVersion> version)
            throws ConfigException {
        Map<Path, FileState> zoneFiles = new LinkedHashMap<>();
        config.dns().ifPresent(dns -> checkZones(dns, file, problems, zoneFiles));
        Sources sources = read.mergedWith(new Sources(zoneFiles, Map.of()));
        if (problems.hasErrors()) {
            throw new ConfigException(problems.errors(), problems.warnings(), sources);
        }
        return new LoadedConfig(config, problems.warnings(), sources, inputs, version);
    }

    /**
     * Checks zone files, and reports names that more than one zone or service defines. All zones are checked in one
     * call, because these names are found only by comparing zones.
     */
    private static void checkZones(DnsConfig dns, Path file, Problems problems, Map<Path, FileState> zoneFiles) {
        Map<Path, FileState> read = new LinkedHashMap<>();
        ZoneFindings found = CompiledZones.check(dns, read);
        read.forEach((zoneFile, state) -> zoneFiles.put(zoneFile.toAbsolutePath(), state));
        found.errors().forEach(problem -> problems.error(place(problem, file), path(problem), problem.message()));
        found.warnings().forEach(problem -> problems.warning(place(problem, file), path(problem), problem.message()));
    }

    private static SourcePosition place(ZoneProblem problem, Path configuration) {
        return problem.place()
                .map(at -> new SourcePosition(at.file().toString(), at.line(), at.column()))
                .orElse(SourcePosition.of(configuration.toString()));
    }

    private static String path(ZoneProblem problem) {
        return problem.place().isPresent() ? "" : "dns.zones";
    }
}
