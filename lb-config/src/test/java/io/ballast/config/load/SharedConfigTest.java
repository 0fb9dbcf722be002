package io.ballast.config.load;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ballast.config.shared.ConfigurationBundle;
import io.ballast.config.shared.SharedCopy;
import io.ballast.config.shared.SharedVersion;
import io.ballast.config.yaml.Problem;
import io.ballast.http.config.RouteAction;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests how a node combines a version of its cluster's configuration with its own file and its overrides. */
class SharedConfigTest {

    private static final String SITE = """
        listeners: [{bind: 127.0.0.1:8080, routes: [{match: {path: /static}, files: www}, {pool: web}]}]
        pools: {web: {backends: [127.0.0.1:9001], maintenance: {file: pages/down.html}}}
        cluster: {name: other}
        data_dir: /elsewhere
        """;

    private final ConfigLoader loader = new ConfigLoader(Map.of("N", "1")::get);

    @TempDir
    private Path directory;

    private Path own = Path.of("own.yaml");

    @BeforeEach
    void writeOwnFile() throws IOException {
        own = Files.writeString(directory.resolve("own.yaml"), """
            listeners: [{bind: "${ABSENT}", pool: none}]
            data_dir: %s/data
            cluster:
              name: edge
              bind: 10.0.0.${N}:7946
              voters: [n1]
              tls: {certificate: n1.crt, key: n1.key, ca: ca.crt}
            """.formatted(directory));
    }

    private SharedCopy copy() {
        return SharedCopy.of(directory.resolve("data"));
    }

    private void use(String... pathsAndTexts) throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        for (int i = 0; i < pathsAndTexts.length; i += 2) {
            files.put(pathsAndTexts[i], pathsAndTexts[i + 1].getBytes(StandardCharsets.UTF_8));
        }
        ConfigurationBundle bundle = ConfigurationBundle.of(pathsAndTexts[0], files);
        copy().replace(new SharedVersion(7, bundle.sha256()), bundle);
        copy().keep();
    }

    private LoadedConfig load() throws ConfigException {
        List<String> damaged = new ArrayList<>();
        LoadedConfig loaded = loader.loadAtStart(own, damaged::add);
        assertThat(damaged).isEmpty();
        return loaded;
    }

    @Test
    void clusterAndDataDirComeFromTheOwnFileAndAllElseFromTheVersion() throws Exception {
        use("site.yaml", SITE, "pages/down.html", "down");

        LoadedConfig loaded = load();

        assertThat(loaded.version().orElseThrow().number()).isEqualTo(7);
        assertThat(loaded.config().listeners()).hasSize(1);
        assertThat(loaded.config().cluster().orElseThrow().name()).isEqualTo("edge");
        assertThat(loaded.config().cluster().orElseThrow().bind()).hasToString("10.0.0.1:7946");
        assertThat(loaded.config().cluster().orElseThrow().tls().key()).isEqualTo(directory.resolve("n1.key"));
        assertThat(loaded.config().dataDir()).isEqualTo(directory.resolve("data"));
        assertThat(loaded.sources().files()).containsKey(own);
    }

    @Test
    void filesOfTheVersionComeFromTheVersionAndOthersFromTheDirectoryOfTheOwnFile() throws Exception {
        use("site.yaml", SITE, "pages/down.html", "down");

        LoadedConfig loaded = load();

        Path page = requireNonNull(loaded.config().pools().get("web"))
                .maintenance()
                .orElseThrow()
                .file()
                .orElseThrow();
        assertThat(page).isEqualTo(copy().active().orElseThrow().directory().resolve("pages/down.html"));
        RouteAction.Files files = (RouteAction.Files)
                loaded.config().listeners().get(0).routes().get(0).action();
        assertThat(files.root()).isEqualTo(directory.resolve("www"));
    }

    @Test
    void anUnchangedVersionIsReused() throws Exception {
        use("site.yaml", SITE, "pages/down.html", "down");
        LoadedConfig first = load();
        SharedCopy.Located located = copy().active().orElseThrow();

        assertThat(loader.load(own, located, first).config().listeners())
                .isSameAs(first.config().listeners());

        Files.writeString(own, Files.readString(own).replace("edge", "core"));
        assertThat(loader.load(own, located, first)
                        .config()
                        .cluster()
                        .orElseThrow()
                        .name())
                .isEqualTo("core");
    }

    @Test
    void errorsNameTheFilesOfTheVersionAndErrorsOfTheOwnFileItsKeys() throws Exception {
        use("site.yaml", SITE + "grace: soon\n", "pages/down.html", "down");
        Files.writeString(own, Files.readString(own).replace("${N}", "${MISSING}"));

        ConfigException refused = catchThrowableOfType(ConfigException.class, this::load);

        String directoryOfVersion = copy().active().orElseThrow().directory() + "/";
        assertThat(refused.problems().stream().map(Problem::toString).map(text -> text.replace(directoryOfVersion, "")))
                .anyMatch(text -> text.startsWith("site.yaml:5:8: grace: 'soon'"))
                .anyMatch(text -> text.contains("own.yaml:5:9: cluster.bind: the environment variable MISSING"))
                .noneMatch(text -> text.contains("ABSENT"));
    }

    @Test
    void aDamagedVersionAndALocalConfigurationLeaveTheOwnFile() throws Exception {
        Files.writeString(
                own,
                Files.readString(own).replace("${ABSENT}", "127.0.0.1:80")
                        + "pools: {none: {backends: [127.0.0.1:1]}}\n");
        use("site.yaml", SITE, "pages/down.html", "down");
        Files.writeString(copy().active().orElseThrow().main(), "damaged");
        List<String> damaged = new ArrayList<>();

        assertThat(loader.loadAtStart(own, damaged::add).version()).isEmpty();
        assertThat(damaged).singleElement().asString().contains("the files are not those of version 7");

        use("site.yaml", SITE, "pages/down.html", "down");
        assertThat(load().version()).isPresent();
        Files.writeString(own, Files.readString(own).replace("name: edge", "name: edge\n  configuration: local"));
        assertThat(load().version()).isEmpty();
    }

    @Test
    void overridesOfANodeAreMergedOverItsConfiguration() throws Exception {
        Path file = Files.writeString(
                directory.resolve("nodes.yaml"), """
            nodes:
              n1:
                pools: {web: {backends: [127.0.0.1:9009]}, added: {backends: [127.0.0.1:1]}}
                grace: 5s
              n2: {grace: soon}
            listeners: [{bind: 127.0.0.1:8080, pool: web}]
            pools: {web: {backends: [127.0.0.1:9001, 127.0.0.1:9002], retries: {attempts: 2}}}
            """.replace(", retries: {attempts: 2}", ", health: {type: none}"));

        LoadedConfig first = loader.load(file, Optional.of("n1"));

        assertThat(requireNonNull(first.config().pools().get("web")).backends()).hasSize(1);
        assertThat(requireNonNull(first.config().pools().get("web"))
                        .health()
                        .check()
                        .toString())
                .isEqualTo(requireNonNull(loader.load(file).config().pools().get("web"))
                        .health()
                        .check()
                        .toString());
        assertThat(first.config().pools()).containsKey("added");
        assertThat(first.config().grace()).isEqualTo(Duration.ofSeconds(5));
        assertThat(loader.load(file).config().grace()).isEqualTo(Duration.ofSeconds(30));
        ConfigException refused =
                catchThrowableOfType(ConfigException.class, () -> loader.load(file, Optional.of("n2")));
        assertThat(refused.problems().get(0)).asString().contains("nodes.yaml:5:15: nodes.n2.grace: 'soon'");
    }

    @Test
    void namesThatNoVoterHasCauseAWarning() throws Exception {
        Path file = Files.writeString(directory.resolve("nodes.yaml"), """
            nodes: {n1: {grace: 5s}, n9: {grace: 5s}}
            cluster:
              name: edge
              bind: 10.0.0.1:7946
              voters: [n1]
              tls: {certificate: n1.crt, key: n1.key, ca: ca.crt}
            """);

        assertThat(loader.load(file).warnings())
                .singleElement()
                .asString()
                .contains("nodes.n9: no voter has this name");
        assertThat(loader.load(file, Optional.of("n9")).warnings()).isEmpty();
    }
}
