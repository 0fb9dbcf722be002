package io.ballast.config.load;

import io.ballast.config.BallastConfig;
import io.ballast.config.form.Forms;
import io.ballast.config.key.ReadContext;
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

    private LoadedConfig load(Path file, FileText main) throws ConfigException {
        Problems problems = new Problems();
        FileTree files = new FileTree(variables, problems);
        Map<Path, FileState> further = new LinkedHashMap<>();
        Optional<BallastConfig> config = files.read(file, main).flatMap(root -> {
            ReadContext reading = new ReadContext(problems, files.isComplete());
            Optional<BallastConfig> read = Forms.read(root, reading);
            further.putAll(reading.textFiles());
            return read;
        });
        config.flatMap(BallastConfig::dns).ifPresent(dns -> checkZones(dns, file, problems, further));
        Sources sources = files.sources().mergedWith(new Sources(further, Map.of()));
        if (config.isEmpty() || problems.hasErrors()) {
            throw new ConfigException(problems.errors(), problems.warnings(), sources);
        }
        return new LoadedConfig(config.get(), problems.warnings(), sources);
    }

    /**
     * Checks zone files, and reports names that more than one zone or service defines. All zones are therefore
     * checked together.
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
