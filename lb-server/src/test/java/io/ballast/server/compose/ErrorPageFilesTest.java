package io.ballast.server.compose;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.control.ReloadReport.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests the files of error pages in a whole process. */
class ErrorPageFilesTest {

    @TempDir
    private Path directory;

    @RegisterExtension
    final ProcessFixture process = new ProcessFixture();

    @Test
    void reloadReadsChangedFiles() throws Exception {
        Path page = Files.writeString(directory.resolve("sorry.html"), "old {{status}}");
        String text = """
            listeners:
              - bind: 127.0.0.1:0
                error_pages: {404: sorry.html}
                routes:
                  - {match: {path: /shop/}, pool: web}
            pools: {web: {backends: ["%s"]}}
            dashboard: {bind: 127.0.0.1:0}
            data_dir: data
            """.formatted(process.backend());
        StartedBalancer balancer = process.start(directory, text);
        assertThat(balancer.get("/").body()).isEqualTo("old 404");

        Files.writeString(page, "a new page for {{status}}");
        assertThat(balancer.get("/").body()).isEqualTo("old 404");
        assertThat(balancer.reload(text).outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(balancer.get("/").body()).isEqualTo("a new page for 404");

        Files.delete(page);
        assertThat(balancer.reload(text).outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(balancer.get("/").body()).isEqualTo("a new page for 404");
    }
}
