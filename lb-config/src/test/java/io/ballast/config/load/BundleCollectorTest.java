package io.ballast.config.load;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BundleCollectorTest {

    @TempDir
    private Path directory;

    private Path file(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(requireNonNull(file.getParent()));
        return Files.writeString(file, text);
    }

    private static BundleCollector.Result collect(Path main) {
        return BundleCollector.collect(main, Map.<String, String>of()::get);
    }

    @Test
    void includesZonesListsAndPagesAreCollectedButNoSecrets() throws IOException {
        file("conf.d/pools.yaml", "pools: {web: {backends: [127.0.0.1:1], maintenance: {file: pages/down.html}}}\n");
        file("conf.d/pages/down.html", "down");
        file("zones/example.org", "@ SOA a. b. 1 1 1 1 1\n$INCLUDE more/hosts\n");
        file("zones/more/hosts", "www A 192.0.2.1\n");
        file("lists/ads", "ads.example\n");
        file("site.key", "secret");
        Path main = file("site.yaml", """
            include: [conf.d/*.yaml]
            listeners:
              - bind: ${ADDRESS}
                pool: web
                tls: {certificates: [{certificate: site.crt, key: site.key}]}
            dns:
              listeners: [{bind: "127.0.0.1:53"}]
              zones: [{name: example.org, file: zones/example.org}]
              forward:
                upstreams: [192.0.2.53]
                filter: {lists: [{name: ads, file: lists/ads}]}
            nodes:
              n1: {pools: {web: {maintenance: {file: pages/n1.html}}}}
            """);
        file("pages/n1.html", "down");

        BundleCollector.Result collected = collect(main);

        assertThat(collected.errors()).isEmpty();
        assertThat(requireNonNull(collected.bundle()).files().keySet())
                .containsExactly(
                        "conf.d/pages/down.html",
                        "conf.d/pools.yaml",
                        "lists/ads",
                        "pages/n1.html",
                        "site.yaml",
                        "zones/example.org",
                        "zones/more/hosts");
        assertThat(collected.bundle().main()).isEqualTo("site.yaml");
    }

    @Test
    void absolutePathsStayOnTheNodes() throws IOException {
        Path main = file("site.yaml", """
            include: [/etc/ballast-absent/local.yaml]
            listeners: [{bind: 127.0.0.1:80, pool: web}]
            pools: {web: {backends: [127.0.0.1:1], maintenance: {file: %s}}}
            """.formatted(file("down.html", "down")));

        BundleCollector.Result collected = collect(main);

        assertThat(requireNonNull(collected.bundle()).files().keySet()).containsExactly("site.yaml");
    }

    @Test
    void missingFilesAndFilesOutsideOfTheDirectoryAreErrors() throws IOException {
        file("other.html", "down");
        Path main = file("site/site.yaml", """
            listeners: [{bind: 127.0.0.1:80, pool: web}]
            pools:
              web: {backends: [127.0.0.1:1], maintenance: {file: missing.html}}
              old: {backends: [127.0.0.1:1], maintenance: {file: ../other.html}}
            """);

        BundleCollector.Result collected = collect(main);

        assertThat(collected.bundle()).isNull();
        assertThat(collected.errors())
                .anyMatch(error -> error.contains("site.yaml:3:54: pools.web.maintenance.file: ")
                        && error.contains("missing.html cannot be read"))
                .anyMatch(error -> error.contains("other.html is not below the directory of the main file"));
        assertThat(collect(directory.resolve("absent.yaml")).errors())
                .anyMatch(error -> error.contains("absent.yaml cannot be read"));
        assertThat(collect(file("loop.yaml", "include: ['${PART}.yaml']\n")).errors())
                .anyMatch(error -> error.contains("the environment variable PART is not set"));
    }
}
