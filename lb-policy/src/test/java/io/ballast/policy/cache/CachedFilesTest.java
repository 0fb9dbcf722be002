package io.ballast.policy.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.header.HeaderChanges;
import io.ballast.core.config.header.HeaderRules;
import io.ballast.http.config.RouteAction;
import io.ballast.http.config.RouteConfig;
import io.ballast.http.config.RouteMatch;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.ballast.policy.config.CacheConfig;
import io.ballast.policy.testing.HttpRequests;
import io.ballast.policy.testing.TestPolicies;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that a cache stores static files. */
class CachedFilesTest {

    private static final HeaderChanges NONE = new HeaderChanges(List.of(), List.of(), List.of());

    private final CacheSetup setup = new CacheSetup();
    private final CachePolicy cache = setup.cache(CacheConfig.ofMemory(8 * CacheSetup.MEMORY));

    @TempDir
    private Path root;

    @AfterEach
    void close() {
        setup.close();
    }

    private TestBalancer start() throws Exception {
        RouteAction.Files files = new RouteAction.Files(
                root, "index.html", Optional.empty(), /* precompressed= */ false, Optional.of("max-age=60"));
        return BalancerSetup.on(TransportKind.NIO)
                .withoutDefaultRoute()
                .route(new RouteConfig(RouteMatch.ALL, Optional.empty(), files, new HeaderRules(NONE, NONE)))
                .policies(TestPolicies.named(cache))
                .start();
    }

    @ParameterizedTest
    @EnumSource
    void aFileIsReadOnceWhileItsResponseIsFresh(HttpRequests http) throws Exception {
        for (int length : new int[] {10, 300_000}) {
            String old = "a".repeat(length);
            Path file = Files.writeString(root.resolve("file" + length), old);
            try (TestBalancer balancer = start()) {
                String path = "/file" + length;
                assertThat(CacheSetup.get(http, balancer, path).body()).isEqualTo(old);
                Files.writeString(file, "new");

                assertThat(CacheSetup.get(http, balancer, path).body()).isEqualTo(old);
                assertThat(CacheSetup.get(http, balancer, path, "range", "bytes=1-2")
                                .body())
                        .isEqualTo("aa");
                cache.purge(Optional.empty(), Optional.empty());
                assertThat(CacheSetup.get(http, balancer, path).body()).isEqualTo("new");
            }
        }
        assertThat(CacheSetup.count(cache, CacheOutcome.HIT)).isEqualTo(4);
        assertThat(CacheSetup.count(cache, CacheOutcome.STORED)).isEqualTo(4);
    }
}
