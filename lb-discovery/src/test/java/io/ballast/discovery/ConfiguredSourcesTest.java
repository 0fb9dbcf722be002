package io.ballast.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.load.ConfigLoader;
import io.ballast.core.config.DiscoveryConfig;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.config.PoolDiscovery;
import io.ballast.discovery.source.Source;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ConfiguredSourcesTest {

    @Test
    void createsSourceForEachKind() throws Exception {
        PoolConfig pool = Objects.requireNonNull(ConfigLoader.ofProcess()
                .load(Path.of("../lb-config/src/test/resources/config/good/discover.yaml"))
                .config()
                .pools()
                .get("web"));

        assertThat(pool.discover())
                .extracting(each -> (Object) each.source().getClass())
                .contains(Arrays.stream(DiscoveryConfig.class.getPermittedSubclasses())
                        .filter(kind -> kind != DiscoveryConfig.Agents.class) // configured by pools.NAME.agents
                        .toArray());
        assertThat(pool.discover()).extracting(PoolDiscovery::source).allSatisfy(config -> {
            try (Source source = new ConfiguredSources().create(config)) {
                assertThat(source.getClass().getPackageName())
                        .endsWith(config.type().equals("srv") ? "dns" : config.type());
            }
        });
    }
}
