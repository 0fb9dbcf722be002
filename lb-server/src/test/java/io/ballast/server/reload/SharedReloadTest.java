package io.ballast.server.reload;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.BallastConfig;
import io.ballast.config.load.ConfigLoader;
import io.ballast.config.shared.ConfigurationBundle;
import io.ballast.config.shared.SharedCopy;
import io.ballast.config.shared.SharedVersion;
import io.ballast.core.control.ReloadReport;
import io.ballast.core.control.ReloadReport.Outcome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedReloadTest {

    private static final String SITE = """
        listeners: [{bind: 127.0.0.1:8080, pool: web}]
        pools: {web: {backends: [127.0.0.1:9001]}}
        """;

    @TempDir
    private Path directory;

    private final List<String> reloads = new ArrayList<>();
    private ReloadReport report = new ReloadReport(Outcome.APPLIED, List.of(), List.of(), List.of(), Duration.ZERO);
    private List<String> problems = List.of();
    private SharedReload shared;
    private SharedCopy copy;

    @BeforeEach
    void prepare() throws Exception {
        Path own = Files.writeString(directory.resolve("own.yaml"), SITE + "data_dir: " + directory + "/data\n");
        BallastConfig running = ConfigLoader.ofProcess().load(own).config();
        copy = SharedCopy.of(directory.resolve("data"));
        shared = new SharedReload(
                own,
                () -> running,
                Optional::empty,
                (dryRun, who) -> {
                    reloads.add(who);
                    return CompletableFuture.completedFuture(report);
                },
                config -> problems);
    }

    private static ConfigurationBundle bundle(String text) {
        return ConfigurationBundle.of("site.yaml", Map.of("site.yaml", text.getBytes(StandardCharsets.UTF_8)));
    }

    private Optional<String> use(long number, String text) {
        ConfigurationBundle bundle = bundle(text);
        return shared.use(new SharedVersion(number, bundle.sha256()), bundle);
    }

    private List<String> check(String text) {
        ConfigurationBundle bundle = bundle(text);
        return shared.check(new SharedVersion(2, bundle.sha256()), bundle);
    }

    @Test
    void aVersionIsReloadedAndKept() throws Exception {
        assertThat(use(1, SITE)).isEmpty();

        assertThat(reloads).containsExactly("cluster version 1");
        assertThat(copy.verified().orElseThrow().version().number()).isEqualTo(1);
    }

    @Test
    void aRefusedReloadLeavesTheVersionBefore() throws Exception {
        assertThat(use(1, SITE)).isEmpty();
        Path main = copy.active().orElseThrow().main();
        report = new ReloadReport(
                Outcome.REFUSED, List.of(), List.of(), List.of(main + ": cannot listen"), Duration.ZERO);

        assertThat(use(2, SITE + "grace: 5s\n")).contains("site.yaml: cannot listen");

        assertThat(copy.verified().orElseThrow().version().number()).isEqualTo(1);
    }

    /** A file has the name of the directory, so nothing can be written there. */
    @Test
    void aVersionThatCannotBeWrittenIsNotReloaded() throws Exception {
        Files.createDirectories(directory.resolve("data"));
        Files.writeString(directory.resolve("data/shared-configuration"), "");

        assertThat(use(1, SITE).orElseThrow()).startsWith("cannot write the files of the version: ");
        assertThat(check(SITE)).singleElement().asString().startsWith("cannot write the files of the version: ");

        assertThat(reloads).isEmpty();
    }

    @Test
    void aCheckFindsTheErrorsOfTheConfigurationAndItsFiles() {
        assertThat(check(SITE)).isEmpty();
        assertThat(check(SITE + "grace: soon\n")).singleElement().asString().startsWith("site.yaml:3:8: grace: 'soon'");
        assertThat(check(SITE.replace("]}}", "], health: {type: exec, command: [\"true\"]}}}")))
                .singleElement()
                .asString()
                .startsWith("site.yaml: pools.web.health.type: exec");
        problems = List.of("listeners[0].tls: site.key: no such file");
        assertThat(check(SITE)).containsExactly("site.yaml: listeners[0].tls: site.key: no such file");
        assertThat(directory.resolve("data/shared-configuration/check")).doesNotExist();
        assertThat(reloads).isEmpty();
    }
}
