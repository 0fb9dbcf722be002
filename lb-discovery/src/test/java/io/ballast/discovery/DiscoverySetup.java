package io.ballast.discovery;

import static io.ballast.discovery.DiscoveryFixture.backend;
import static io.ballast.discovery.DiscoveryFixture.config;
import static io.ballast.discovery.DiscoveryFixture.named;
import static io.ballast.discovery.DiscoveryFixture.pool;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.BallastConfig;
import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.DiscoveryConfig;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.Event;
import io.ballast.core.testing.ManualScheduler;
import io.ballast.discovery.source.Source;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A discovery engine with sources and a clock that the test controls. */
abstract class DiscoverySetup {

    static final Duration SECOND = Duration.ofSeconds(1);

    final ManualScheduler scheduler = new ManualScheduler();
    private final ControlPlane control = scheduler.controlPlane();
    final Map<DiscoveryConfig, TestSource> sources = new HashMap<>();
    final List<List<String>> applied = new ArrayList<>();
    final BallastConfig config = config(pool("web", List.of(), named("app"), named("more")));
    final List<Duration> tries = new ArrayList<>();
    String refusal = "";
    boolean lockedByOther;
    int locks;

    @TempDir
    Path directory;

    @Nullable Discovery started;

    Overlay active = Overlay.EMPTY;

    @BeforeEach
    void startDiscovery() {
        started = newDiscovery();
        assertThat(discovery().restore(config)).isEqualTo(Overlay.EMPTY);
        discovery().start();
        scheduler.runDue();
    }

    @AfterEach
    void close() {
        discovery().close();
    }

    /** Returns another engine that uses the same files. The test must close the previous engine first. */
    Discovery newDiscovery() {
        return new Discovery(
                control,
                Runnable::run,
                wanted -> {
                    TestSource made = new TestSource();
                    sources.put(wanted, made);
                    return made;
                },
                directory,
                this::lock,
                this::apply,
                Runnable::run);
    }

    Discovery discovery() {
        return Objects.requireNonNull(started);
    }

    private AutoCloseable lock() throws IOException {
        locks++;
        if (lockedByOther) {
            throw new IOException("in use by process 7");
        }
        return () -> {};
    }

    private void apply(Overlay overlay) throws IOException {
        tries.add(Duration.ofNanos(scheduler.nanoTime()));
        if (!refusal.isEmpty()) {
            throw new IOException(refusal);
        }
        active = overlay;
        applied.add(overlay.reportedBackends().values().stream()
                .flatMap(List::stream)
                .map(each -> each.address().toString())
                .sorted()
                .toList());
    }

    CompletableFuture<String> add(String host) {
        BackendEdit edit = new BackendEdit(
                BackendEdit.Kind.ADDED,
                backend(host, 1),
                Optional.empty(),
                new OverrideTerms("ann", "", Instant.EPOCH, Optional.empty()));
        CompletableFuture<String> fault = discovery()
                .submitEdit(edits -> Optional.of(
                        edits.with(new BackendEdits.Key("web", edit.backend().address()), edit)));
        scheduler.runDue();
        return fault;
    }

    List<String> addresses(Overlay overlay) {
        return addresses(overlay, config);
    }

    static List<String> addresses(Overlay overlay, BallastConfig config) {
        return overlay.apply(config).pools().get("web").backends().stream()
                .map(BackendConfig::address)
                .map(Object::toString)
                .toList();
    }

    TestSource source(String name) {
        return Objects.requireNonNull(sources.get(named(name).source()));
    }

    List<String> texts() {
        return control.timeline().recent().stream()
                .map((Event event) -> event.subject() + " " + event.text())
                .toList();
    }

    /** A source that reports the backends and failures that the test sets. */
    final class TestSource implements Source {

        private @Nullable Listener listener;
        boolean closed;

        @Override
        public void start(Listener target) {
            listener = target;
        }

        void found(String... hosts) {
            Objects.requireNonNull(listener)
                    .onBackends(
                            List.of(hosts).stream().map(DiscoveryFixture::at).toList());
            scheduler.runDue();
        }

        void confirmed() {
            Objects.requireNonNull(listener).onUnchanged();
        }

        void failed(String reason) {
            Objects.requireNonNull(listener).onFailure(reason);
            scheduler.runDue();
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
