package io.ballast.config.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.PoolConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExampleFilesTest {

    static List<Path> examples() {
        return ConfigFiles.examples();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("examples")
    void examplesLoadWithoutWarnings(Path example) throws ConfigException {
        LoadedConfig loaded = ConfigFiles.loader().load(example);

        assertThat(loaded.warnings())
                .filteredOn(warning -> !warning.message().endsWith("uses this policy")) // unused policies are allowed
                .isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("examples")
    void longFormOfExamplesIsEquivalent(Path example, @TempDir Path directory) throws Exception {
        LoadedConfig loaded = ConfigFiles.loader().load(example);

        assertThat(reloaded(loaded.explain(), directory).config()).isEqualTo(loaded.config());
    }

    @Test
    void shortFormWeightsReachBackends() throws ConfigException {
        PoolConfig pool = ConfigFiles.loader()
                .load(ConfigFiles.EXAMPLES.resolve("divisor/w-round-robin.yaml"))
                .config()
                .pools()
                .get("default");

        assertThat(pool.backends()).extracting(BackendConfig::weight).containsExactly(5, 2, 2, 1);
    }

    private static LoadedConfig reloaded(String text, Path directory) throws IOException, ConfigException {
        return ConfigFiles.loader().load(Files.writeString(directory.resolve("explained.yaml"), text));
    }
}
