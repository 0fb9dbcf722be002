package io.ballast.server.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.BallastConfig;
import io.ballast.config.load.ConfigLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenFilesTest {

    @TempDir
    private Path directory;

    @Test
    void lowLimitIsReportedWithBothFigures() throws Exception {
        assertThat(OpenFiles.warning(config(), 300))
                .hasValueSatisfying(
                        warning -> assertThat(warning).contains("open_files_limit=300 ", "connections_allowed=1500 "));
    }

    @Test
    void sufficientLimitIsNotReported() throws Exception {
        assertThat(OpenFiles.warning(config(), 1_048_576)).isEmpty();
    }

    @Test
    void defaultLimitsAreNotReported() throws Exception {
        Path file = Files.writeString(directory.resolve("default.yaml"), """
                listeners:
                  - {bind: "127.0.0.1:8080", routes: [{respond: {status: 200}}]}
                  - {bind: "127.0.0.1:8081", routes: [{respond: {status: 200}}]}
                dns: {listeners: [{bind: "127.0.0.1:5353"}], zones: [{name: example.com}]}
                """);
        BallastConfig config = ConfigLoader.ofProcess().load(file).config();

        assertThat(OpenFiles.warning(config, 20_000)).isEmpty();
        assertThat(OpenFiles.warning(config, 1024)).isPresent();
    }

    @Test
    void checksUseOneQuarterUpToOneThousand() {
        assertThat(OpenFiles.maxChecks(300)).isEqualTo(75);
        assertThat(OpenFiles.maxChecks(1_048_576)).isEqualTo(1000);
        assertThat(OpenFiles.maxChecks(3)).isEqualTo(1);
    }

    private BallastConfig config() throws Exception {
        Path file = Files.writeString(directory.resolve("lb.yaml"), """
                listeners:
                  - {bind: "127.0.0.1:8080", limits: {connections: 1000}, routes: [{respond: {status: 200}}]}
                  - {bind: "127.0.0.1:8081", limits: {connections: 500}, routes: [{respond: {status: 200}}]}
                """);
        return ConfigLoader.ofProcess().load(file).config();
    }
}
