package io.ballast.server.reload;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.BallastConfig;
import io.ballast.config.key.ReloadEffect;
import io.ballast.config.load.ConfigException;
import io.ballast.config.load.ConfigLoader;
import io.ballast.config.longform.LongForm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigDifferenceTest {

    private static final String FIRST = """
            listeners:
              - {name: front, bind: "127.0.0.1:8080", pool: web}
            pools:
              web: {backends: ["10.0.0.1:80", "10.0.0.2:80"]}
            """;

    private static final Path NOTHING_BY_DEFAULT =
            Path.of("../lb-config/src/test/resources/config/good/nothing-by-default.yaml");

    @TempDir
    private Path directory;

    @Test
    void equalConfigurationsDoNotDiffer() throws Exception {
        assertThat(difference(FIRST, FIRST)).isEmpty();
    }

    @Test
    void reloadKeepsExactlyTheKeysThatNeedRestart() throws Exception {
        BallastConfig running = config(FIRST);
        BallastConfig next = ConfigLoader.ofProcess().load(NOTHING_BY_DEFAULT).config();
        List<String> others = ChangedComponents.of(running, next);
        assertThat(others).hasSameSizeAs(BallastConfig.class.getRecordComponents());

        BallastConfig kept = next.withFixedSettingsOf(running);

        others.removeAll(ConfigDifference.FIXED_KEYS);
        assertThat(ConfigDifference.FIXED_KEYS).contains("event_loops");
        assertThat(ChangedComponents.of(next, kept)).containsExactlyInAnyOrderElementsOf(ConfigDifference.FIXED_KEYS);
        assertThat(ChangedComponents.of(running, kept)).containsExactlyElementsOf(others);
    }

    /**
     * A reload must keep the running value of such a key. {@code DnsFrontend.prepare} does this for {@code dns.udp};
     * another key would need similar code.
     */
    @Test
    void onlyOneKeyBelowTheTopLevelNeedsRestart() {
        assertThat(LongForm.SHAPE.shapes())
                .filteredOn(shape -> shape != LongForm.SHAPE)
                .flatExtracting(shape -> shape.keys().stream()
                        .filter(key -> shape.onReload(key, ReloadEffect.IMMEDIATE) == ReloadEffect.NEEDS_RESTART)
                        .map(key -> shape.name() + "." + key.name())
                        .toList())
                .containsExactly("dns.udp");
    }

    @Test
    void reportsOnlyChangesThatReloadMakes() throws Exception {
        BallastConfig running = config(FIRST);
        BallastConfig next = config(FIRST + "event_loops: 7\ngrace: 7s\n");
        BallastConfig kept = next.withFixedSettingsOf(running);

        assertThat(ConfigDifference.changedFixedKeys(running, kept)).isEmpty();
        assertThat(ConfigDifference.of(next, kept)).isEmpty();
        assertThat(ConfigDifference.of(running, kept)).containsExactly("~ grace");
    }

    @Test
    void reportsChangedBackends() throws Exception {
        assertThat(difference(FIRST, """
                listeners:
                  - {name: front, bind: "127.0.0.1:8080", pool: web}
                pools:
                  web: {strategy: random, backends: [{address: "10.0.0.2:80", weight: 5}, "10.0.0.3:80"]}
                """))
                .containsExactly("~ pool web: +10.0.0.3:80, -10.0.0.1:80, ~10.0.0.2:80 (weight), strategy");
    }

    @Test
    void reportsAddedAndRemovedParts() throws Exception {
        assertThat(difference(FIRST, """
                listeners:
                  - {name: back, bind: "127.0.0.1:8081", pool: api}
                pools:
                  api: {backends: ["10.0.0.1:80"]}
                dns:
                  listeners: [{bind: "127.0.0.1:5300"}]
                  zones: [{name: example.org}]
                """))
                .containsExactly("+ listener back", "- listener front", "+ pool api", "- pool web", "+ dns");
    }

    @Test
    void reportsChangedListenerKeys() throws Exception {
        assertThat(difference(FIRST, """
                listeners:
                  - name: front
                    bind: "127.0.0.1:8080"
                    limits: {connections: 10}
                    routes: [{match: {path: /x}, respond: {status: 204}}, {pool: web}]
                pools:
                  web: {backends: ["10.0.0.1:80", "10.0.0.2:80"]}
                grace: 5s
                """)).containsExactly("~ listener front: routes, limits", "~ grace");
    }

    @Test
    void countsManyBackends() throws Exception {
        String many = IntStream.range(0, 1000)
                .mapToObj(i -> "\"10.1." + i / 250 + "." + (i % 250 + 1) + ":80\"")
                .collect(Collectors.joining(", "));

        List<String> lines = difference(FIRST, """
                listeners:
                  - {name: front, bind: "127.0.0.1:8080", pool: web}
                pools:
                  web: {backends: [%s]}
                """.formatted(many));

        assertThat(lines).singleElement().asString().contains("+990 more").hasSizeLessThan(400);
    }

    @Test
    void separatesSettingsThatNeedRestart() throws Exception {
        BallastConfig first = config(FIRST);
        BallastConfig next = config(FIRST + "event_loops: 7\ndata_dir: elsewhere\n");

        assertThat(ConfigDifference.of(first, next)).isEmpty();
        assertThat(ConfigDifference.changedFixedKeys(first, next)).containsExactly("event_loops", "data_dir");
    }

    private List<String> difference(String first, String next) throws IOException, ConfigException {
        return ConfigDifference.of(config(first), config(next));
    }

    private BallastConfig config(String text) throws IOException, ConfigException {
        Path file = Files.writeString(directory.resolve("lb.yaml"), text);
        return ConfigLoader.ofProcess().load(file).config();
    }
}
