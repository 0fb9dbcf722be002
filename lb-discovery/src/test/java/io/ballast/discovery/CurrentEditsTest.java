package io.ballast.discovery;

import static io.ballast.discovery.DiscoveryFixture.at;
import static io.ballast.discovery.DiscoveryFixture.backend;
import static io.ballast.discovery.DiscoveryFixture.config;
import static io.ballast.discovery.DiscoveryFixture.named;
import static io.ballast.discovery.DiscoveryFixture.pool;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.BallastConfig;
import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.config.BackendConfig;
import io.ballast.discovery.source.DiscoveredBackend;
import java.time.Instant;
import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests which edits of operators still apply after files and sources have changed. */
class CurrentEditsTest {

    private static final OverrideTerms TERMS = new OverrideTerms("ann", "", Instant.EPOCH, Optional.empty());
    private static final SourceName SOURCE = new SourceName("web", "dns app");

    private final BallastConfig config = config(pool("web", List.of(backend("10.0.0.1", 7)), named("app")));

    /** A list that counts the accesses to its elements. */
    private static final class CountedList extends AbstractList<DiscoveredBackend> {

        private final List<DiscoveredBackend> backends;
        private int looks;

        CountedList(List<DiscoveredBackend> backends) {
            this.backends = backends;
        }

        @Override
        public DiscoveredBackend get(int index) {
            looks++;
            return backends.get(index);
        }

        @Override
        public int size() {
            return backends.size();
        }
    }

    @Test
    void removesEditsOfVanishedBackendsAfterAllSourcesAnswered() {
        BackendEdits edits = changed("10.0.0.2", Optional.empty());

        assertThat(edits.current(config, Map.of(SOURCE, List.of(at("10.0.0.2")))))
                .isSameAs(edits);
        assertThat(edits.current(config, Map.of())).isSameAs(edits);
        assertThat(edits.current(config, Map.of(SOURCE, List.of(at("10.0.0.3")))))
                .isEqualTo(BackendEdits.NONE);
    }

    @Test
    void removesEditsContradictedByFile() {
        BackendEdits edits = changed("10.0.0.1", Optional.of(backend("10.0.0.1", 7)));

        assertThat(edits.current(config, Map.of(SOURCE, List.of()))).isSameAs(edits);
        assertThat(edits.current(config(pool("web", List.of(backend("10.0.0.1", 8)))), Map.of()))
                .isEqualTo(BackendEdits.NONE);
        assertThat(edits.current(config(pool("api", List.of(backend("10.0.0.1", 7)))), Map.of()))
                .isEqualTo(BackendEdits.NONE);
    }

    @Test
    void readsSourcesOnceForManyEdits() {
        CountedList reported = new CountedList(
                IntStream.range(0, 200).mapToObj(i -> at("10.0.1." + i)).toList());
        BackendEdits edits = BackendEdits.NONE;
        for (int i = 0; i < 200; i++) {
            edits = edits.with(key("10.0.1." + i), edit("10.0.1." + i, Optional.empty()));
        }

        assertThat(edits.current(config, Map.of(SOURCE, reported))).isSameAs(edits);

        assertThat(reported.looks).isEqualTo(200);
    }

    private static BackendEdits changed(String host, Optional<BackendConfig> file) {
        return BackendEdits.NONE.with(key(host), edit(host, file));
    }

    private static BackendEdits.Key key(String host) {
        return new BackendEdits.Key("web", backend(host, 5).address());
    }

    private static BackendEdit edit(String host, Optional<BackendConfig> file) {
        return new BackendEdit(BackendEdit.Kind.CHANGED, backend(host, 5), file, TERMS);
    }
}
