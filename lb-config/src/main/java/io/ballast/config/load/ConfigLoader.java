package io.ballast.config.load;

import io.ballast.config.BallastConfig;
import io.ballast.config.form.Forms;
import io.ballast.config.key.ReadContext;
import io.ballast.config.yaml.Node;
import io.ballast.config.yaml.Problems;
import io.ballast.config.yaml.SourcePosition;
import io.ballast.config.yaml.Variables;
import io.ballast.core.FileState;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.zone.CompiledZones;
import io.ballast.dns.zone.source.ZoneFindings;
import io.ballast.dns.zone.source.ZoneProblem;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
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
        return load(file, FileText.OF_FILE);
    }

    /**
     * Reads a configuration from a stream to its end. Files that it names are resolved against the working directory.
     *
     * @param name the name of the source in messages
     * @throws ConfigException with all problems
     */
    public LoadedConfig load(String name, InputStream text) throws ConfigException {
        return load(Path.of(name), FileText.of(text));
    }

    /**
     * Like {@link #load(Path)}, but does not parse the configuration again if its files have not changed since they
     * were read. Zone files are always checked. Both loads must use the same environment.
     *
     * @param before the result of an earlier load of the same file
     */
    public LoadedConfig load(Path file, LoadedConfig before) throws ConfigException {
        Optional<Sources> current = before.inputs().currentIfUnchanged();
        if (current.isEmpty()) {
            return load(file);
        }
        Problems problems = new Problems();
        before.inputs().warnings().forEach(known -> problems.warning(known.place(), known.path(), known.message()));
        // Zones are matched with their configuration by identity, so each load needs an object of its own.
        Optional<DnsConfig> dns = before.config().dns().map(same -> same.withZones(same.zones()));
        return withCheckedZones(file, before.config().withDns(dns), problems, current.get(), before.inputs());
    }

    private LoadedConfig load(Path file, FileText main) throws ConfigException {
        Problems problems = new Problems();
        FileTree files = new FileTree(variables, problems);
        Optional<Node> root = files.read(file, main);
        ReadContext reading = new ReadContext(problems, files.isComplete());
        Optional<BallastConfig> config = root.flatMap(node -> Forms.read(node, reading));
        Sources sources = files.sources().mergedWith(new Sources(reading.textFiles(), Map.of()));
        if (config.isEmpty()) {
            throw new ConfigException(problems.errors(), problems.warnings(), sources);
        }
        boolean isComplete = main.isFile() && !reading.dependsOnOtherState();
        ReadInputs inputs = new ReadInputs(files.texts(), sources, problems.warnings(), isComplete);
        return withCheckedZones(file, config.get(), problems, sources, inputs);
    }

    private static LoadedConfig withCheckedZones(
            Path file, BallastConfig config, Problems problems, Sources read, ReadInputs inputs)
            throws ConfigException {
        Map<Path, FileState> zoneFiles = new LinkedHashMap<>();
        config.dns().ifPresent(dns -> checkZones(dns, file, problems, zoneFiles));
        Sources sources = read.mergedWith(new Sources(zoneFiles, Map.of()));
        if (problems.hasErrors()) {
            throw new ConfigException(problems.errors(), problems.warnings(), sources);
        }
        return new LoadedConfig(config, problems.warnings(), sources, inputs);
    }

    /**
     * Checks zone files, and reports names that more than one zone or service defines. Checks all zones together,
     * because of these names.
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
