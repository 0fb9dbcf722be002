package io.ballast.policy.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.http.policy.NamedPolicy;
import io.ballast.http.policy.PolicyClient;
import io.ballast.http.policy.PolicyVersion;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.policy.PolicyRegistry;
import io.ballast.policy.config.FilterConfig;
import io.ballast.policy.config.PolicyConfig;
import io.ballast.policy.filter.jar.FilterJar;
import io.ballast.policy.testing.FilterJars;
import io.ballast.policy.testing.TestPolicies;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that a reload replaces a filter and frees its classes. The long run is
 * {@code ./mvnw -pl lb-policy -am test -Dtest=FilterReloadTest -Dballast.filter.reloads=1000}.
 */
class FilterReloadTest {

    private static final int RELOADS = Integer.getInteger("ballast.filter.reloads", 30);
    private static final int WARM_UP = 20;
    /** The permitted growth of the memory. 50 copies of the filter's classes would need more. */
    private static final long GROWTH_BYTES = 1 << 20;

    private static final int TIMEOUT_SECONDS = 30;
    private static final String FACTORY = "test.Reloaded";
    private static final String SOURCE = """
            package test;

            import io.ballast.filter.*;
            import java.nio.file.*;
            import java.util.concurrent.*;

            public class Reloaded implements FilterFactory {
                static final ThreadLocal<byte[]> LOCAL = ThreadLocal.withInitial(() -> new byte[1 << 16]);

                @Override
                public void check(FilterSettings settings) {
                    settings.requireOnly("answer", "closed");
                }

                @Override
                public Filter create(FilterSettings settings) {
                    return new Filter() {
                        @Override
                        public CompletionStage<RequestResult> onRequest(FilterRequest request) {
                            LOCAL.get()[0]++;
                            return CompletableFuture.completedFuture(RequestResult.pass(
                                    HeaderEdits.NONE, HeaderEdits.NONE.set("X-Answer", settings.requireText("answer"))));
                        }

                        @Override
                        public boolean changesResponses() {
                            return settings.text("closed").isPresent();
                        }

                        @Override
                        public void close() {
                            settings.text("closed").ifPresent(file -> {
                                try {
                                    Files.writeString(Path.of(file), "closed");
                                } catch (java.io.IOException e) {
                                    throw new java.io.UncheckedIOException(e);
                                }
                            });
                        }
                    };
                }
            }
            """;

    @TempDir
    private Path directory;

    private Path jar;

    @BeforeEach
    void compile() throws Exception {
        jar = FilterJars.jar(directory, FACTORY, SOURCE);
    }

    private PolicyConfig config(Map<String, Object> settings) {
        return new PolicyConfig("audit", FilterConfig.of(FilterJar.read(jar), settings), /* dryRun= */ false);
    }

    private static NamedPolicy audit(PolicyRegistry registry) {
        return registry.active().find(List.of("audit")).get(0);
    }

    private static String answer(PolicyRegistry registry, TestBackend backend) throws Exception {
        try (TestBalancer balancer = TestPolicies.start(backend, audit(registry));
                PolicyClient client = PolicyVersion.HTTP_1.connect(balancer)) {
            return client.post("/", "").headers("x-answer").toString();
        }
    }

    private static void reload(PolicyRegistry registry, PolicyConfig next) {
        try (PolicyRegistry.Change change = registry.prepare(List.of(next), List.of())) {
            change.commit();
        }
    }

    @Test
    void changedSettingsReplaceTheFilter() throws Exception {
        Path closed = directory.resolve("closed");
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                PolicyRegistry registry =
                        PolicyRegistry.start(2, List.of(config(Map.of("answer", "1", "closed", closed.toString()))))) {
            assertThat(answer(registry, backend)).isEqualTo("[1]");
            assertThat(closed).doesNotExist();
            reload(registry, config(Map.of("answer", "2")));

            assertThat(answer(registry, backend)).isEqualTo("[2]");
            assertThat(closed).exists();
        }
    }

    @Test
    void changedJarReplacesTheFilter() throws Exception {
        Map<String, Object> settings = Map.of("answer", "1");
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                PolicyRegistry registry = PolicyRegistry.start(2, List.of(config(settings)))) {
            NamedPolicy first = audit(registry);
            reload(registry, config(settings));
            assertThat(audit(registry).policy()).isSameAs(first.policy());
            FilterJars.jar(directory, FACTORY, SOURCE.replace("\"X-Answer\", ", "\"X-Answer\", \"new \" + "));
            reload(registry, config(settings));

            assertThat(answer(registry, backend)).isEqualTo("[new 1]");
        }
    }

    @Test
    void filterIsClosedAfterTheRequestsThatUseIt() throws Exception {
        Path closed = directory.resolve("closed");
        CountDownLatch respond = new CountDownLatch(1);
        try (TestBackend backend = TestBackend.playing(Script.okAfter(respond, "hello"));
                PolicyRegistry registry =
                        PolicyRegistry.start(2, List.of(config(Map.of("answer", "1", "closed", closed.toString()))));
                TestBalancer balancer = TestPolicies.start(backend, audit(registry));
                PolicyClient client = PolicyVersion.HTTP_1.connect(balancer)) {
            client.begin("/", "");
            balancer.await("the request is forwarded", () -> backend.connections() == 1);
            reload(registry, config(Map.of("answer", "2")));
            balancer.goRound();
            assertThat(closed).doesNotExist();
            respond.countDown();

            assertThat(client.read().headers("x-answer")).containsExactly("1");
            balancer.await("the filter is closed", () -> Files.exists(closed));
        }
    }

    @Test
    void refusedReloadKeepsTheFilter() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                PolicyRegistry registry = PolicyRegistry.start(2, List.of(config(Map.of("answer", "1"))))) {
            assertThatThrownBy(() -> reload(registry, config(Map.of("unknown", "1"))))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("unknown name 'unknown'");
            assertThat(answer(registry, backend)).isEqualTo("[1]");
        }
    }

    @Test
    void reloadsFreeTheClasses() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                PolicyRegistry registry = PolicyRegistry.start(2, List.of(config(Map.of("answer", "0"))))) {
            assertThat(answer(registry, backend)).isEqualTo("[0]");
            List<WeakReference<ClassLoader>> replaced = new ArrayList<>();
            byte[] first = Files.readAllBytes(jar);
            FilterJars.jar(directory, FACTORY, SOURCE.replace("new byte[1 << 16]", "new byte[1]"));
            List<byte[]> contents = List.of(first, Files.readAllBytes(jar));
            long before = 0;
            for (int i = 1; i <= RELOADS; i++) {
                if (i == WARM_UP) {
                    before = metaspace();
                }
                replaced.add(new WeakReference<>(loader(registry)));
                Files.write(jar, contents.get(i % 2));
                reload(registry, config(Map.of("answer", String.valueOf(i))));
                if (i % 10 == 0) {
                    assertThat(answer(registry, backend)).isEqualTo("[" + i + "]");
                }
            }

            for (WeakReference<ClassLoader> loader : replaced) {
                awaitCleared(loader);
            }
            assertThat(metaspace() - before).isLessThan(GROWTH_BYTES);
        }
    }

    private static ClassLoader loader(PolicyRegistry registry) {
        return ((FilterPolicy) audit(registry).policy()).filter().getClass().getClassLoader();
    }

    private static void awaitCleared(WeakReference<?> reference) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (reference.get() != null) {
            assertThat(System.nanoTime() - end).as("the classes were not freed").isNegative();
            System.gc();
        }
    }

    private static long metaspace() {
        System.gc();
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getName().equals("Metaspace"))
                .mapToLong((MemoryPoolMXBean pool) -> pool.getUsage().getUsed())
                .sum();
    }
}
