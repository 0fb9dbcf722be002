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
import io.ballast.core.config.PoolDiscovery;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.Event;
import io.ballast.core.testing.ManualScheduler;
import io.ballast.discovery.source.Source;
import java.io.IOException;
import java.nio.file.Files;
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
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the discovery engine with sources and a clock that the test controls. */
class DiscoveryTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ControlPlane control = scheduler.controlPlane();
    private final Map<DiscoveryConfig, TestSource> sources = new HashMap<>();
    private final List<List<String>> applied = new ArrayList<>();
    private final BallastConfig config = config(pool("web", List.of(), named("app"), named("more")));
    private final List<Duration> tries = new ArrayList<>();
    private String refusal = "";
    private boolean lockedByOther;
    private int locks;

    @TempDir
    private Path directory;

    private @Nullable Discovery started;
    private Overlay active = Overlay.EMPTY;

    @BeforeEach
    void startDiscovery() {
        started = discovery();
        assertThat(discovery0().restore(config)).isEqualTo(Overlay.EMPTY);
        discovery0().start();
        scheduler.runDue();
    }

    @AfterEach
    void close() {
        discovery0().close();
    }

    @Test
    void firstResultIsActivatedImmediately() {
        source("app").found("10.0.0.1", "10.0.0.2");
        scheduler.advance(Duration.ofMillis(20));

        assertThat(applied).containsExactly(List.of("10.0.0.1:80", "10.0.0.2:80"));
        assertThat(texts()).containsExactly("web 2 backends joined (dns app)");
    }

    @Test
    void changesWithinOneSecondAreActivatedTogether() {
        source("app").found("10.0.0.1");
        scheduler.advance(Duration.ofMillis(20));
        for (int i = 2; i < 12; i++) {
            source("app").found("10.0.0.1", "10.0.0." + i);
            source("more").found("10.0.1.2");
            scheduler.advance(Duration.ofMillis(50));
        }
        assertThat(applied).hasSize(1);

        scheduler.advance(SECOND);

        assertThat(applied).hasSize(2).last().isEqualTo(List.of("10.0.0.11:80", "10.0.0.1:80", "10.0.1.2:80"));
    }

    @Test
    void unchangedSetIsNoChange() {
        source("app").found("10.0.0.1", "10.0.0.2");
        scheduler.advance(SECOND);
        source("app").found("10.0.0.2", "10.0.0.1");
        scheduler.advance(SECOND.multipliedBy(10));

        assertThat(applied).hasSize(1);
    }

    @Test
    void failureIsReportedOnceAndKeepsBackends() {
        source("app").found("10.0.0.1");
        scheduler.advance(SECOND);
        source("app").failed("connection refused");
        source("app").failed("connection refused");
        source("more").failed("no such name");
        scheduler.advance(SECOND);
        source("app").found("10.0.0.1");
        scheduler.advance(SECOND);

        assertThat(applied).hasSize(1);
        assertThat(texts())
                .containsExactly(
                        "web 1 backend joined (dns app)",
                        "web dns app: connection refused; the last discovered backends stay in use",
                        "web dns more: no such name; no backends have been discovered yet",
                        "web dns app: responds again");
        assertThat(discovery0().stats())
                .extracting(each -> each.source() + " " + each.backends() + " " + each.failures())
                .containsExactly("dns app 1 2", "dns more 0 1");
        assertThat(discovery0().stats().get(0).lastSuccess())
                .contains(scheduler.clock().instant().minus(SECOND));
        assertThat(discovery0().stats().get(1).lastSuccess()).isEmpty();
    }

    @Test
    void newFailureReasonIsReportedOncePerMinute() {
        source("app").failed("connection refused");
        scheduler.advance(SECOND);
        source("app").failed("no such name");
        scheduler.advance(Duration.ofMinutes(1));
        source("app").failed("no such name");
        scheduler.advance(SECOND);
        source("app").failed("no such name");
        scheduler.advance(Duration.ofMinutes(2));

        assertThat(texts())
                .containsExactly(
                        "web dns app: connection refused; no backends have been discovered yet",
                        "web dns app: no such name; no backends have been discovered yet");
    }

    @Test
    void confirmationAdvancesLastSuccess() {
        source("app").found("10.0.0.1");
        scheduler.advance(Duration.ofMinutes(5));
        source("app").confirmed();
        scheduler.advance(SECOND);
        assertThat(discovery0().stats().get(0).lastSuccess())
                .hasValueSatisfying(time ->
                        assertThat(time).isAfter(scheduler.clock().instant().minus(SECOND.multipliedBy(2))));
        assertThat(applied).hasSize(1);

        source("app").failed("connection refused");
        scheduler.advance(Duration.ofMinutes(5));
        source("app").confirmed();
        scheduler.advance(SECOND);
        assertThat(discovery0().stats().get(0).lastSuccess())
                .as("of a source that fails")
                .hasValueSatisfying(time ->
                        assertThat(time).isBefore(scheduler.clock().instant().minus(Duration.ofMinutes(4))));
    }

    @Test
    void massRemovalIsDelayed() {
        source("app").found("10.0.0.1", "10.0.0.2", "10.0.0.3");
        scheduler.advance(SECOND);
        source("app").found("10.0.0.3");
        scheduler.advance(Duration.ofSeconds(29));
        assertThat(applied).hasSize(1);

        scheduler.advance(Duration.ofSeconds(2));

        assertThat(applied).hasSize(2).last().isEqualTo(List.of("10.0.0.3:80"));
        assertThat(texts()).last().isEqualTo("web 2 backends left (dns app)");
    }

    @Test
    void massRemovalIsDelayedWhileSourceFails() {
        source("app").found("10.0.0.1", "10.0.0.2", "10.0.0.3");
        scheduler.advance(SECOND);
        source("app").found("10.0.0.3");
        source("app").failed("reset");
        scheduler.advance(Duration.ofMinutes(5));
        assertThat(applied).hasSize(1);

        source("app").found("10.0.0.3");
        scheduler.advance(SECOND);

        assertThat(applied).hasSize(2).last().isEqualTo(List.of("10.0.0.3:80"));
    }

    @Test
    void rejectedAddressesAreReportedOnce() {
        source("app").found("127.0.0.1", "10.0.0.1");
        source("app").found("127.0.0.1", "10.0.0.1");
        scheduler.advance(SECOND);

        assertThat(applied).containsExactly(List.of("10.0.0.1:80"));
        assertThat(texts())
                .filteredOn(text -> text.contains("ignored backends: "))
                .hasSize(1);
    }

    @Test
    void failedActivationIsReportedOnceAndRetriedWithBackoff() {
        refusal = "no room";
        source("app").found("10.0.0.1");
        scheduler.advance(Duration.ofSeconds(95));

        assertThat(pauses()).containsExactly(1L, 2L, 4L, 8L, 16L, 30L, 30L);
        assertThat(texts()).containsExactly("ballast cannot activate the discovered backends: no room");
        assertThat(discovery0().isRefused()).isTrue();

        refusal = "no\nmemory";
        scheduler.advance(Duration.ofSeconds(30));
        assertThat(texts()).last().isEqualTo("ballast cannot activate the discovered backends: no memory");

        refusal = "";
        scheduler.advance(Duration.ofSeconds(30));
        assertThat(applied).containsExactly(List.of("10.0.0.1:80"));
        assertThat(texts()).hasSize(3).last().isEqualTo("web 1 backend joined (dns app)");
        assertThat(discovery0().isRefused()).isFalse();
        int before = tries.size();
        scheduler.advance(Duration.ofMinutes(5));
        assertThat(tries).hasSize(before);
    }

    @Test
    void newChangeReplacesFailedActivationImmediately() {
        refusal = "no room";
        source("app").found("10.0.0.1");
        scheduler.advance(Duration.ofSeconds(40));
        tries.clear();

        source("app").found("10.0.0.1", "10.0.0.2");
        scheduler.advance(Duration.ofMillis(20));
        assertThat(tries).hasSize(1);

        scheduler.advance(SECOND);
        assertThat(pauses()).containsExactly(1L);
        refusal = "";
        scheduler.advance(SECOND.multipliedBy(2));
        assertThat(applied).containsExactly(List.of("10.0.0.1:80", "10.0.0.2:80"));
    }

    @Test
    void withdrawnChangeIsNotRetried() {
        source("app").found("10.0.0.1");
        scheduler.advance(SECOND);
        refusal = "no room";
        source("app").found("10.0.0.1", "10.0.0.2");
        scheduler.advance(SECOND);
        int before = tries.size();

        source("app").found("10.0.0.1");
        scheduler.advance(Duration.ofMinutes(5));

        assertThat(tries).hasSize(before);
    }

    @Test
    void failedEditIsReportedAndNotRetried() {
        refusal = "no room";

        assertThat(add("10.0.0.7")).isCompletedWithValue("no room");
        scheduler.advance(Duration.ofMinutes(5));

        assertThat(tries).hasSize(1);
        assertThat(texts()).isEmpty();
    }

    @Test
    void sourceResultSurvivesFailedEdit() {
        refusal = "no room";
        source("app").found("10.0.0.1");
        assertThat(add("10.0.0.7")).isCompletedWithValue("no room");

        refusal = "";
        scheduler.advance(SECOND);

        assertThat(addresses(active)).containsExactly("10.0.0.1:80");
    }

    @Test
    void resultsSurviveRestart() {
        source("app").found("10.0.0.1");
        scheduler.advance(SECOND);
        discovery0().close();

        Discovery next = discovery();
        started = next;
        Overlay restored = next.restore(config);

        assertThat(addresses(restored)).containsExactly("10.0.0.1:80");
        assertThat(next.stats()).extracting(Discovery.SourceStats::backends).containsExactly(1, 0);
    }

    @Test
    void reloadWithUnchangedEditsActivatesNothing() {
        assertThat(add("10.0.0.7")).isCompletedWithValue("");
        assertThat(tries).hasSize(1);

        discovery0().follow(config);
        scheduler.advance(Duration.ofMinutes(1));

        assertThat(tries).hasSize(1);
    }

    @Test
    void brokenStateFileIsMovedAside() throws Exception {
        discovery0().close();
        Files.writeString(directory.resolve(DiscoveredFile.NAME), "[{\"pool\": 5");

        Discovery next = discovery();
        started = next;

        assertThat(next.restore(config)).isEqualTo(Overlay.EMPTY);
        assertThat(directory.resolve("discovered.json.bad")).exists();
    }

    @Test
    void reloadStopsAndStartsSources() {
        source("app").found("10.0.0.1");
        scheduler.advance(SECOND);
        TestSource more = source("more");
        discovery0().follow(config(pool("web", List.of(), named("app"), named("third"))));
        source("third").found("10.0.0.3");
        more.found("10.0.0.2");
        scheduler.advance(SECOND);

        assertThat(more.closed).isTrue();
        assertThat(source("app").closed).isFalse();
        assertThat(applied).last().isEqualTo(List.of("10.0.0.1:80", "10.0.0.3:80"));
    }

    @Test
    void changedSourceKeepsBackendsUntilFirstAnswer() {
        discovery0().follow(consul("old", SECOND, /* allowLocal= */ false));
        consul("old").found("10.0.0.1", "10.0.0.2");
        consul("old").failed("ACL not found");
        scheduler.advance(SECOND);
        Overlay before = active;

        BallastConfig next = consul("new", SECOND.multipliedBy(2), /* allowLocal= */ false);
        assertThat(addresses(before, next)).containsExactly("10.0.0.1:80", "10.0.0.2:80");
        discovery0().follow(next);
        consul("new").failed("connection refused");
        scheduler.advance(SECOND.multipliedBy(100));

        assertThat(addresses(active, next)).containsExactly("10.0.0.1:80", "10.0.0.2:80");
        assertThat(consul("old").closed).isTrue();
        assertThat(texts())
                .last()
                .isEqualTo("web consul web: connection refused; the last discovered backends stay in use");
        assertThat(discovery0().stats())
                .extracting(each -> each.backends() + " " + each.failures() + " "
                        + each.lastSuccess().isPresent())
                .containsExactly("2 2 true");

        consul("new").found("10.0.0.2");
        scheduler.advance(SECOND);

        assertThat(applied).last().isEqualTo(List.of("10.0.0.2:80"));
    }

    @Test
    void restoredBackendsAreNotFreshResults() {
        source("app").found("10.0.0.1");
        scheduler.advance(SECOND);
        discovery0().close();
        Discovery next = discovery();
        started = next;
        next.restore(config);
        next.start();
        scheduler.runDue();
        source("app").found("10.0.0.1", "10.0.0.2");
        scheduler.advance(SECOND);

        PoolDiscovery other = new PoolDiscovery(named("app").source(), Duration.ZERO, /* allowLocal= */ false);
        next.follow(config(pool("web", List.of(), other)));
        scheduler.advance(SECOND.multipliedBy(2));

        assertThat(addresses(active)).containsExactly("10.0.0.1:80", "10.0.0.2:80");
    }

    @Test
    void localAddressesLeaveWhenDisallowed() {
        discovery0().follow(consul("token", SECOND, /* allowLocal= */ true));
        consul("token").found("10.0.0.1", "127.0.0.1");
        scheduler.advance(SECOND);
        assertThat(applied).last().isEqualTo(List.of("10.0.0.1:80", "127.0.0.1:80"));

        discovery0().follow(consul("token", SECOND, /* allowLocal= */ false));
        scheduler.advance(SECOND);

        assertThat(applied).last().isEqualTo(List.of("10.0.0.1:80"));
    }

    @Test
    void sourceMessagesAreShortenedToOneLine() {
        source("app").failed("status 500:\n2026 level=ERROR" + "x".repeat(1 << 20));

        assertThat(texts()).singleElement().asString().doesNotContain("\n").hasSizeLessThan(400);
    }

    @Test
    void failedEditWriteIsReportedAndRetried() throws Exception {
        Path file = directory.resolve(EditFile.NAME);
        Files.createDirectory(file);
        assertThat(add("10.0.0.7")).isCompletedWithValue("");
        assertThat(applied).hasSize(1);

        assertThat(settled())
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(IOException.class)
                .withMessageContaining("cannot save the backend changes of operators");
        Files.delete(file);
        scheduler.advance(StateWriter.RETRY_DELAY);

        assertThat(file).content().contains("10.0.0.7:80");
        assertThat(settled()).isCompleted();
    }

    @Test
    void stateFileIsTakenAfterOtherProcessReleasesIt() {
        lockedByOther = true;
        add("10.0.0.7");
        assertThat(settled()).isCompletedExceptionally();
        int before = locks;

        lockedByOther = false;
        scheduler.advance(Duration.ofMinutes(5));
        assertThat(locks).isEqualTo(before);
        assertThat(directory.resolve(EditFile.NAME)).doesNotExist();

        discovery0().writePendingState();
        assertThat(directory.resolve(EditFile.NAME)).content().contains("10.0.0.7:80");
    }

    @Test
    void failedResultWriteIsRetried() throws Exception {
        Path file = directory.resolve(DiscoveredFile.NAME);
        Files.createDirectory(file);
        source("app").found("10.0.0.1");
        scheduler.advance(SECOND);
        assertThat(settled()).isCompleted();

        Files.delete(file);
        scheduler.advance(StateWriter.RETRY_DELAY);

        assertThat(file).content().contains("10.0.0.1:80");
    }

    private Discovery discovery() {
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

    private Discovery discovery0() {
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

    private static BallastConfig consul(String token, Duration hold, boolean allowLocal) {
        return config(pool("web", List.of(), new PoolDiscovery(agent(token), hold, allowLocal)));
    }

    private static DiscoveryConfig agent(String token) {
        return new DiscoveryConfig.Consul(
                DiscoveryConfig.Consul.DEFAULT_ADDRESS, "web", Optional.empty(), Optional.of(token), Optional.empty());
    }

    private TestSource consul(String token) {
        return Objects.requireNonNull(sources.get(agent(token)));
    }

    private CompletableFuture<String> add(String host) {
        BackendEdit edit = new BackendEdit(
                BackendEdit.Kind.ADDED,
                backend(host, 1),
                Optional.empty(),
                new OverrideTerms("ann", "", Instant.EPOCH, Optional.empty()));
        CompletableFuture<String> fault = discovery0()
                .submitEdit(edits -> Optional.of(
                        edits.with(new BackendEdits.Key("web", edit.backend().address()), edit)));
        scheduler.runDue();
        return fault;
    }

    /** Returns the pauses between tries, in seconds. */
    private List<Long> pauses() {
        List<Long> pauses = new ArrayList<>();
        for (int i = 1; i < tries.size(); i++) {
            pauses.add(tries.get(i).minus(tries.get(i - 1)).toSeconds());
        }
        return pauses;
    }

    private CompletableFuture<Void> settled() {
        CompletableFuture<Void> settled = discovery0().flush();
        scheduler.runDue();
        return settled;
    }

    private List<String> addresses(Overlay overlay) {
        return addresses(overlay, config);
    }

    private static List<String> addresses(Overlay overlay, BallastConfig config) {
        return overlay.apply(config).pools().get("web").backends().stream()
                .map(BackendConfig::address)
                .map(Object::toString)
                .toList();
    }

    private TestSource source(String name) {
        return Objects.requireNonNull(sources.get(named(name).source()));
    }

    private List<String> texts() {
        return control.timeline().recent().stream()
                .map((Event event) -> event.subject() + " " + event.text())
                .toList();
    }

    /** A source that reports the backends and failures that the test sets. */
    private final class TestSource implements Source {

        private @Nullable Listener listener;
        private boolean closed;

        @Override
        public void start(Listener hears) {
            listener = hears;
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
