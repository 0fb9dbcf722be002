package io.ballast.discovery;

import static io.ballast.discovery.DiscoveryFixture.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.HostPort;
import io.ballast.discovery.source.DiscoveredBackend;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiscoveredFileTest {

    private static final SourceName MANY = new SourceName("web", "dns many");
    private static final SourceName FEW = new SourceName("web", "dns few");

    @TempDir
    private Path directory;

    @Test
    void truncatesExcessBackendsOfOneSource() {
        List<DiscoveredBackend> many = IntStream.range(0, 2 * ScreenedBackends.MAX_BACKENDS)
                .mapToObj(i -> DiscoveredBackend.at(new HostPort("10.0." + i / 250 + "." + i % 250, 80)))
                .toList();
        DiscoveredFile file = new DiscoveredFile(directory);
        file.setPending(new Overlay(Map.of(MANY, many, FEW, List.of(at("10.1.0.1"))), BackendEdits.NONE));

        assertThat(file.write()).isTrue();

        assertThat(new DiscoveredFile(directory).read())
                .isEqualTo(Map.of(MANY, many.subList(0, ScreenedBackends.MAX_BACKENDS), FEW, List.of(at("10.1.0.1"))));
    }

    @Test
    void failedWriteStaysPending() throws Exception {
        Path inTheWay = Files.createDirectory(directory.resolve(DiscoveredFile.NAME));
        DiscoveredFile file = new DiscoveredFile(directory);
        file.setPending(new Overlay(Map.of(FEW, List.of(at("10.1.0.1"))), BackendEdits.NONE));

        assertThat(file.write()).isFalse();
        assertThat(file.write()).isFalse();

        Files.delete(inTheWay);
        assertThat(file.write()).isTrue();
        assertThat(file.read()).containsOnlyKeys(FEW);
    }
}
