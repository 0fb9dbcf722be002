package io.ballast.config.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ballast.dns.config.DnsConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests when a reload parses the configuration again, and that the result is always the same as that of a first load.
 */
class UnchangedConfigTest {

    private static final String ZONE =
            "@ 3600 SOA ns1 hostmaster 1 3600 600 86400 300\n@ 300 NS ns1\nns1 300 A 192.0.2.1\n";

    @TempDir
    private Path directory;

    private Path main;

    @BeforeEach
    void write() throws IOException {
        main = file("lb.yaml", """
            include: ['conf.d/*.yaml']
            listeners: [{bind: 127.0.0.1:8000, pool: web}]
            dns: {listeners: [{bind: 127.0.0.1:5300}], zones: [{name: example.com, file: zone}]}
            """);
        Files.createDirectory(directory.resolve("conf.d"));
        file("conf.d/web.yaml", "pools: {web: {backends: [a:1]}}\n");
        file("zone", ZONE);
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    private LoadedConfig load() throws ConfigException {
        return ConfigFiles.loader().load(main);
    }

    private LoadedConfig again(LoadedConfig before) throws ConfigException {
        LoadedConfig again = ConfigFiles.loader().load(main, before);
        LoadedConfig fresh = load();
        assertThat(again.config()).isEqualTo(fresh.config());
        assertThat(again.warnings()).isEqualTo(fresh.warnings());
        assertThat(again.sources()).isEqualTo(fresh.sources());
        return again;
    }

    /** Whether the second load reused the first result instead of parsing the files again. */
    private static boolean isReused(LoadedConfig first, LoadedConfig second) {
        return first.config().listeners() == second.config().listeners();
    }

    @Test
    void unchangedFilesAreNotParsedAgain() throws Exception {
        LoadedConfig first = load();

        LoadedConfig second = again(first);
        LoadedConfig third = again(second);

        assertThat(isReused(first, second)).isTrue();
        assertThat(isReused(first, third)).isTrue();
        DnsConfig dns = second.config().dns().orElseThrow();
        assertThat(dns)
                .as("each load has its own object")
                .isNotSameAs(first.config().dns().orElseThrow());
        assertThat(dns.zones().get(0))
                .isSameAs(first.config().dns().orElseThrow().zones().get(0));
    }

    @Test
    void sameContentWithAnotherTimeIsNotParsedAgain() throws Exception {
        LoadedConfig first = load();
        Files.delete(directory.resolve("conf.d/web.yaml"));
        file("conf.d/web.yaml", "pools: {web: {backends: [a:1]}}\n");

        assertThat(isReused(first, again(first))).isTrue();
    }

    @Test
    void changedConfigurationIsParsed() throws Exception {
        LoadedConfig first = load();
        file("conf.d/web.yaml", "pools: {web: {backends: [b:1]}}\n");

        LoadedConfig second = again(first);

        assertThat(isReused(first, second)).isFalse();
        assertThat(second.config()
                        .pools()
                        .get("web")
                        .backends()
                        .get(0)
                        .address()
                        .toString())
                .contains("b");
    }

    @Test
    void addedAndRemovedIncludesAreRead() throws Exception {
        LoadedConfig first = load();
        Path more = file("conf.d/more.yaml", "pools: {more: {backends: [b:1]}}\n");

        LoadedConfig second = again(first);
        Files.delete(more);
        LoadedConfig third = again(second);

        assertThat(second.config().pools()).containsKey("more");
        assertThat(third.config().pools()).doesNotContainKey("more");
    }

    @Test
    void zoneFilesAreAlwaysChecked() throws Exception {
        LoadedConfig first = load();
        file("zone", ZONE + "@ 300 MX 10 nowhere\n@ 300 NS missing\n");

        LoadedConfig warned = again(first);
        assertThat(isReused(first, warned)).isTrue();
        assertThat(warned.warnings()).isNotEmpty();

        file("zone", ZONE);
        assertThat(again(warned).warnings()).isEmpty();

        file("zone", "@ 300 A not-an-address\n");
        ConfigException refused = catchThrowableOfType(
                ConfigException.class, () -> ConfigFiles.loader().load(main, warned));
        assertThat(refused).hasMessageContaining("zone");
    }

    @Test
    void warningsAboutTheConfigurationRemain() throws Exception {
        file("lb.yaml", Files.readString(main).replace("'conf.d/*.yaml'", "'conf.d/*.yaml', 'none/*.yaml'"));
        LoadedConfig first = load();

        LoadedConfig second = again(first);

        assertThat(isReused(first, second)).isTrue();
        assertThat(second.warnings()).hasSize(1);
    }

    @Test
    void changedTextFilesAreRead() throws Exception {
        Path page = file("page.html", "<p>one</p>");
        file("lb.yaml", """
            pools: {web: {backends: [a:1], maintenance: {file: page.html}}}
            listeners: [{bind: 127.0.0.1:8000, pool: web}]
            """);
        LoadedConfig first = load();
        assertThat(isReused(first, again(first))).isTrue();

        Files.writeString(page, "<p>two and more</p>");

        assertThat(isReused(first, again(first))).isFalse();
    }

    @Test
    void missingFileIsAnError() throws Exception {
        LoadedConfig first = load();
        Files.delete(main);

        ConfigException refused = catchThrowableOfType(
                ConfigException.class, () -> ConfigFiles.loader().load(main, first));

        assertThat(refused).hasMessageContaining("does not exist");
    }

    @Test
    void unixSocketsAreCheckedAgain() throws Exception {
        Path sockets = Files.createDirectory(directory.resolve("sockets"));
        file(
                "lb.yaml",
                "pools: {web: {backends: [a:1]}}\nlisteners: [{bind: 'unix:" + sockets + "/web', pool: web}]\n");
        LoadedConfig first = load();
        assertThat(first.warnings()).isEmpty();
        Files.delete(sockets);

        assertThat(again(first).warnings()).hasSize(1);
    }

    @Test
    void streamIsNotReused() throws Exception {
        file("lb.yaml", "port: 8000\nbackends: [a:1]\n");

        LoadedConfig streamed = ConfigFiles.loader().load("stdin", Files.newInputStream(main));

        assertThat(streamed.inputs().currentIfUnchanged()).isEmpty();
        assertThat(load().inputs().currentIfUnchanged()).isPresent();
    }
}
