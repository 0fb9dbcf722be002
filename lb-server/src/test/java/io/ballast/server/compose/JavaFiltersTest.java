package io.ballast.server.compose;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.control.ReloadReport;
import io.ballast.core.control.ReloadReport.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests a filter in Java in a whole process: configuration, reload and refused reloads. */
class JavaFiltersTest {

    private static final Path AUDIT = Path.of("../config/audit.jar");

    @RegisterExtension
    final ProcessFixture process = new ProcessFixture();

    @TempDir
    private Path directory;

    @BeforeEach
    void startBackend() throws Exception {
        Files.copy(AUDIT, directory.resolve("audit.jar"));
    }

    private StartedBalancer start(String text) throws Exception {
        return process.start(directory, text);
    }

    private String config(String filter) {
        return """
            filters:
              audit: %s
            listeners:
              - {bind: "127.0.0.1:0", policies: [audit], pool: web}
            pools:
              web: {backends: ["%s"]}
            dashboard: {bind: 127.0.0.1:0}
            data_dir: data
            """.formatted(filter, process.backend());
    }

    @Test
    void filterAnswersAndChangesHeaders() throws Exception {
        StartedBalancer balancer = start(config("{jar: audit.jar, settings: {blocked: [/internal/]}}"));

        assertThat(balancer.get("/internal/").statusCode()).isEqualTo(403);
        assertThat(balancer.get("/").statusCode()).isEqualTo(200);
        assertThat(balancer.get("/").headers().firstValue("X-Audit-Id")).isPresent();
    }

    @Test
    void reloadReplacesTheFilter() throws Exception {
        StartedBalancer balancer = start(config("{jar: audit.jar, settings: {blocked: [/a/]}}"));
        assertThat(balancer.get("/a/").statusCode()).isEqualTo(403);

        ReloadReport report = balancer.reload(config("{jar: audit.jar, settings: {blocked: [/b/]}}"));

        assertThat(report.outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(balancer.get("/a/").statusCode()).isEqualTo(200);
        assertThat(balancer.get("/b/").statusCode()).isEqualTo(403);
    }

    @Test
    void invalidReloadIsRefusedWithItsPlace() throws Exception {
        StartedBalancer balancer = start(config("{jar: audit.jar, settings: {blocked: [/a/]}}"));

        ReloadReport report = balancer.reload(config("{jar: audit.jar, settings: {block: [/a/]}}"));

        assertThat(report.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(report.errors())
                .singleElement()
                .asString()
                .contains("lb.yaml:2:", "filters.audit.settings", "unknown name 'block'");
        assertThat(balancer.get("/a/").statusCode()).isEqualTo(403);
    }

    @Test
    void jarThatCannotBeReadRefusesTheReload() throws Exception {
        String filter = "{jar: audit.jar, settings: {blocked: [/a/]}}";
        StartedBalancer balancer = start(config(filter));
        Files.writeString(directory.resolve("audit.jar"), "no jar");

        ReloadReport report = balancer.reload(config(filter));

        assertThat(report.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(report.errors()).singleElement().asString().contains("audit.jar is not a jar");
        assertThat(balancer.get("/a/").statusCode()).isEqualTo(403);
    }
}
