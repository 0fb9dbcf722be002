package io.ballast.discovery;

import static io.ballast.discovery.DiscoveryFixture.at;
import static io.ballast.discovery.DiscoveryFixture.backend;
import static io.ballast.discovery.DiscoveryFixture.config;
import static io.ballast.discovery.DiscoveryFixture.named;
import static io.ballast.discovery.DiscoveryFixture.pool;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.BallastConfig;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.config.PoolDiscovery;
import io.ballast.discovery.source.DiscoveredBackend;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OverlayTest {

    private static final PoolDiscovery FIRST = named("first.internal");
    private static final PoolDiscovery SECOND = named("second.internal");

    private final PoolConfig pool = pool("web", List.of(backend("10.0.0.1", 7)), FIRST, SECOND);

    @Test
    void fileWinsThenSourcesInOrder() {
        Overlay overlay = overlay(Map.of(
                source(FIRST), List.of(at("10.0.0.1"), at("10.0.0.3")),
                source(SECOND), List.of(at("10.0.0.2"), at("10.0.0.3"))));

        assertThat(merged(overlay))
                .containsExactly(backend("10.0.0.1", 7), backend("10.0.0.3", 1), backend("10.0.0.2", 1));
    }

    @Test
    void ignoresUnconfiguredSources() {
        Overlay overlay = overlay(Map.of(
                new SourceName("api", FIRST.label()),
                List.of(at("10.0.0.2")),
                source(named("other.internal")),
                List.of(at("10.0.0.3"))));

        assertThat(merged(overlay)).containsExactly(backend("10.0.0.1", 7));
    }

    @Test
    void terminatingBackendGetsNoNewRequests() {
        Overlay overlay = overlay(Map.of(source(FIRST), List.of(draining("10.0.0.2", 5))));

        assertThat(merged(overlay)).containsExactly(backend("10.0.0.1", 7), backend("10.0.0.2", 0));
    }

    @Test
    void terminatingBackendServesIfItIsTheOnlyOne() {
        PoolConfig alone = pool("web", List.of(), FIRST);
        Overlay overlay = overlay(Map.of(source(FIRST), List.of(draining("10.0.0.2", 5))));

        assertThat(overlay.apply(config(alone)).pools().get("web").backends()).containsExactly(backend("10.0.0.2", 5));
    }

    @Test
    void keepsOtherConfiguration() {
        BallastConfig plain = config(pool("web", List.of(backend("10.0.0.1", 7))));

        assertThat(overlay(Map.of(source(FIRST), List.of(at("10.0.0.2")))).apply(plain))
                .isEqualTo(plain);
        assertThat(Overlay.EMPTY.apply(config(pool))).isEqualTo(config(pool));
    }

    @Test
    void distinguishesSourcesOfSameName() {
        assertThat(PoolSource.of(
                        "web",
                        PoolConfig.builder("web")
                                .discover(List.of(named("app"), named("app")))
                                .build()))
                .extracting(PoolSource::label)
                .containsExactly("dns app", "dns app 2");
    }

    private List<BackendConfig> merged(Overlay overlay) {
        return overlay.apply(config(pool)).pools().get("web").backends();
    }

    private static SourceName source(PoolDiscovery discovery) {
        return new SourceName("web", discovery.label());
    }

    private static DiscoveredBackend draining(String host, int weight) {
        return new DiscoveredBackend(new HostPort(host, 80), weight, /* backup= */ false, /* draining= */ true);
    }

    private static Overlay overlay(Map<SourceName, List<DiscoveredBackend>> found) {
        return new Overlay(found, BackendEdits.NONE);
    }
}
