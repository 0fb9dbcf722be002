package io.ballast.core.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.backend.HealthStatus.LastCheck;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.config.HostPort;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class BackendTest {

    private static final InetSocketAddress ADDRESS = InetSocketAddress.createUnresolved("web1", 8080);

    private final Backend backend = new Backend(
            3, "web", new HostPort("web1", 8080), ADDRESS, 2, /* shards= */ 2, HealthStatus.unknown(Instant.EPOCH));

    @Test
    void exposesPoolAndAddress() {
        assertThat(backend.id()).isEqualTo(3);
        assertThat(backend.pool()).isEqualTo("web");
        assertThat(backend.address()).isEqualTo(new HostPort("web1", 8080));
        assertThat(backend.socketAddress()).isEqualTo(ADDRESS);
        assertThat(backend).hasToString("web/web1:8080");
    }

    @Test
    void startsUnknownAndAcceptsEveryLaterStatus() {
        assertThat(backend.health().state()).isEqualTo(BackendState.UNKNOWN);
        HealthStatus down =
                new HealthStatus(BackendState.DOWN, Instant.EPOCH, Origin.CHECK, "connection refused", LastCheck.NONE);

        backend.health(down);

        assertThat(backend.health()).isSameAs(down);
    }

    @Test
    void isFullAtItsLimit() {
        InFlight inFlight = backend.inFlight();
        inFlight.begin();
        assertThat(inFlight.isFull()).isFalse();

        inFlight.begin();
        assertThat(inFlight.isFull()).isTrue();
        inFlight.begin();
        assertThat(inFlight.isFull()).as("beyond it, when loops picked at once").isTrue();
        assertThat(inFlight.count()).isEqualTo(3);

        inFlight.end();
        inFlight.end();
        assertThat(inFlight.isFull()).isFalse();
        assertThat(inFlight.count()).isEqualTo(1);
    }

    @Test
    void acquiresUpToLimitOnly() {
        InFlight inFlight = new InFlight(2);

        assertThat(inFlight.tryBegin()).isTrue();
        assertThat(inFlight.tryBegin()).isTrue();
        assertThat(inFlight.tryBegin()).isFalse();
        assertThat(inFlight.count()).isEqualTo(2);
        inFlight.end();
        assertThat(inFlight.tryBegin()).isTrue();
        assertThat(new InFlight(0).tryBegin()).isTrue();
    }

    @Test
    void concurrentAcquiresNeverExceedLimit() throws InterruptedException {
        InFlight inFlight = new InFlight(3);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger max = new AtomicInteger();
        Thread[] threads = new Thread[4];
        Arrays.setAll(
                threads,
                t -> new Thread(() -> {
                    for (int i = 0; i < 50_000; i++) {
                        if (inFlight.tryBegin()) {
                            max.accumulateAndGet(running.incrementAndGet(), Math::max);
                            running.decrementAndGet();
                            inFlight.end();
                        }
                    }
                }));
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(max.get()).isBetween(1, 3);
        assertThat(inFlight.count()).isZero();
    }

    @Test
    void isNeverFullWithoutLimit() {
        InFlight inFlight = new InFlight(0);
        for (int i = 0; i < 100_000; i++) {
            inFlight.begin();
        }

        assertThat(inFlight.isFull()).isFalse();
        assertThatThrownBy(() -> new InFlight(-1)).hasMessage("limit: -1 (expected: >= 0)");
    }

    @Test
    void inFlightCountIncludesAllThreads() throws InterruptedException {
        InFlight inFlight = new InFlight(0);
        Thread[] threads = new Thread[4];
        Arrays.setAll(
                threads,
                t -> new Thread(() -> {
                    for (int i = 0; i < 50_000; i++) {
                        inFlight.begin();
                        inFlight.begin();
                        inFlight.end();
                    }
                }));

        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(inFlight.count()).isEqualTo(4 * 50_000);
    }

    @Test
    void statisticsAreSummedOverEventLoops() {
        BackendStats stats = backend.stats();
        stats.counters(0).increment(BackendCounter.REQUESTS);
        stats.counters(1).add(BackendCounter.REQUESTS, 4);
        stats.latency(0).record(Duration.ofMillis(10).toNanos());
        stats.latency(1).record(Duration.ofMillis(30).toNanos());

        assertThat(stats.sum(BackendCounter.REQUESTS)).isEqualTo(5);
        assertThat(stats.latency().count()).isEqualTo(2);
        assertThat(stats.latency().averageMillis()).isEqualTo(20);
    }

    @ParameterizedTest
    @CsvSource({
        "100, RESPONSES_1XX",
        "199, RESPONSES_1XX",
        "200, RESPONSES_2XX",
        "304, RESPONSES_3XX",
        "499, RESPONSES_4XX",
        "500, RESPONSES_5XX",
        "599, RESPONSES_5XX"
    })
    void responsesAreCountedByClass(int status, BackendCounter counter) {
        assertThat(BackendCounter.ofStatus(status)).isEqualTo(counter);
    }

    @ParameterizedTest
    @EnumSource(BackendCounter.class)
    void labelsAreUniqueAndFitMetrics(BackendCounter counter) {
        assertThat(counter.label()).matches("[a-z0-9_]+");
        assertThat(Arrays.stream(BackendCounter.values())
                        .filter(each -> each.label().equals(counter.label())))
                .containsExactly(counter);
    }

    @ParameterizedTest
    @CsvSource({
        "UNKNOWN, unknown, true",
        "UP, up, true",
        "DOWN, down, false",
        "DRAINING, draining, false",
        "EJECTED, ejected, false"
    })
    void onlyUnknownAndUpTakeNewRequests(BackendState state, String label, boolean usable) {
        assertThat(state.label()).isEqualTo(label);
        assertThat(state.isUsable()).isEqualTo(usable);
    }

    @ParameterizedTest
    @CsvSource({"START, start", "CHECK, check", "PASSIVE, passive", "OPERATOR, operator"})
    void originsHaveNames(Origin origin, String label) {
        assertThat(origin.label()).isEqualTo(label);
    }

    @Test
    void newCheckResultKeepsOtherFields() {
        HealthStatus status =
                new HealthStatus(BackendState.UP, Instant.ofEpochSecond(9), Origin.CHECK, "200 OK", LastCheck.NONE);
        LastCheck check = new LastCheck(/* ok= */ false, Duration.ofMillis(4), "reset");

        assertThat(status.with(check))
                .isEqualTo(new HealthStatus(BackendState.UP, Instant.ofEpochSecond(9), Origin.CHECK, "200 OK", check));
    }
}
