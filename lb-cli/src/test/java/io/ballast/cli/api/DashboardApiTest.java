package io.ballast.cli.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.ballast.config.load.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DashboardApiTest {

    @TempDir
    Path directory;

    @Test
    void missingDefaultFileLeadsToTheDefaultAddress() throws Exception {
        Path file = Path.of(DashboardOptions.CONFIG);
        assumeThat(Files.exists(file)).isFalse();

        assertThat(DashboardApi.of(new ApiOptions(), file).url()).hasToString("http://127.0.0.1:8001");
    }

    @Test
    void missingNamedFileIsAnError() {
        assertThatThrownBy(() -> DashboardApi.of(new ApiOptions(), directory.resolve(DashboardOptions.CONFIG)))
                .isInstanceOf(ConfigException.class);
    }

    @Test
    void dashboardOnAllAddressesIsReachedOnLoopback() throws Exception {
        Path file = directory.resolve("ballast.yaml");
        Files.writeString(file, """
                listeners: [{bind: "127.0.0.1:0", pool: web}]
                pools: {web: {backends: ["127.0.0.1:1"]}}
                dashboard: {bind: "0.0.0.0:8123", insecure: true}
                """);

        assertThat(DashboardApi.of(new ApiOptions(), file).url()).hasToString("http://127.0.0.1:8123");
    }
}
