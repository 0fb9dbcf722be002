package io.ballast.policy.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.filter.FilterSettings;
import io.ballast.http.policy.PolicyClient;
import io.ballast.http.policy.PolicyVersion;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.policy.config.FilterConfig;
import io.ballast.policy.filter.jar.FilterCode;
import io.ballast.policy.filter.jar.FilterJar;
import io.ballast.policy.testing.FilterJars;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Builds the project {@code examples/filter} against the interfaces alone, and sends requests through it. */
class ExampleFilterTest {

    private static final Path EXAMPLE = Path.of("../examples/filter/src/main");
    private static final Map<String, Object> SETTINGS =
            Map.of("blocked", List.of("/internal/"), "key_paths", "/api/", "consumers", Map.of("shop", "secret"));

    @TempDir
    private static Path directory;

    private static Path jar;

    @BeforeAll
    static void build() throws Exception {
        Map<String, String> sources = new LinkedHashMap<>();
        try (Stream<Path> files = Files.walk(EXAMPLE.resolve("java"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = EXAMPLE.resolve("java").relativize(file).toString();
                sources.put(name.replace(".java", "").replace('/', '.'), Files.readString(file));
            }
        }
        Map<String, byte[]> entries = FilterJars.compile(Files.createDirectory(directory.resolve("classes")), sources);
        String service = "META-INF/services/io.ballast.filter.FilterFactory";
        entries.put(service, Files.readAllBytes(EXAMPLE.resolve("resources").resolve(service)));
        jar = FilterJars.write(directory.resolve("audit.jar"), entries);
    }

    private static FilterSetup start(TestBackend backend) throws Exception {
        return FilterSetup.start(FilterConfig.of(FilterJar.read(jar), SETTINGS), backend);
    }

    @ParameterizedTest
    @EnumSource
    void pathIsBlockedInAnySpelling(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                FilterSetup setup = start(backend);
                PolicyClient client = version.connect(setup.balancer())) {
            for (String path : List.of("/internal/", "/a/../internal/b", "/%69nternal/")) {
                assertThat(client.post(path, "").status()).as(path).isEqualTo(403);
            }
            assertThat(backend.connections()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void pathRequiresAnApiKey(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                FilterSetup setup = start(backend);
                PolicyClient client = version.connect(setup.balancer())) {
            assertThat(client.post("/api/a", "").status()).isEqualTo(401);
            assertThat(client.post("/api/a", "", "x-api-key", "guess").status()).isEqualTo(401);
            assertThat(client.post("/api/a", "", "x-api-key", "secret", "x-consumer", "forged")
                            .status())
                    .isEqualTo(200);
            assertThat(backend.nextRequest()).contains("X-Consumer: shop\r\n").doesNotContain("forged");
        }
    }

    @ParameterizedTest
    @EnumSource
    void backendAndClientReceiveTheSameId(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                FilterSetup setup = start(backend);
                PolicyClient client = version.connect(setup.balancer())) {
            List<String> ids = client.post("/", "", "x-audit-id", "forged").headers("x-audit-id");

            assertThat(ids).hasSize(1);
            assertThat(backend.nextRequest())
                    .contains("X-Audit-Id: " + ids.get(0) + "\r\n")
                    .doesNotContain("forged");
        }
    }

    @Test
    void wrongSettingIsReported() {
        FilterCode code = FilterCode.load(FilterJar.read(jar), Optional.empty());

        assertThatThrownBy(() -> code.check(FilterSettings.of(Map.of("block", "/a"))))
                .hasMessageContaining("unknown name 'block' (expected: header, blocked, ");
    }
}
