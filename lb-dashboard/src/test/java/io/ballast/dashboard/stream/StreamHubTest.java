package io.ballast.dashboard.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.backend.HealthStatus.LastCheck;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.pool.Topology;
import io.ballast.dashboard.document.StreamJson;
import io.ballast.dashboard.live.LiveStats;
import io.ballast.dashboard.process.ProcessReading;
import io.ballast.dashboard.source.DashboardSources;
import io.ballast.dashboard.source.Readiness;
import io.ballast.dashboard.testing.DashboardFixture;
import io.ballast.dashboard.testing.JsonTree;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StreamHubTest {

    /** Half of the bytes that a connection with 400 kbit/s transfers in a second. */
    private static final int HALF_OF_A_SLOW_CONNECTION = 25_000;

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final ControlPlane control = ControlPlane.start(Clock.systemUTC());
    private final Topology topology = DashboardFixture.topology(Map.of("web", 1000));
    private final StreamHub hub = new StreamHub(
            new LiveStats(DashboardSources.of(() -> topology, control, "1")),
            control.timeline(),
            Optional::empty,
            () -> new StreamJson.Header(
                    Instant.EPOCH,
                    Instant.EPOCH,
                    Readiness.READY,
                    ProcessReading.now(),
                    "1",
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Duration.ofDays(14)));
    private long now = SECOND;

    @AfterEach
    void stop() {
        control.close();
    }

    @Test
    void aTickContainsTheChangesOfMissedTicks() throws Exception {
        EmbeddedChannel slow = page(/* gzip= */ false);
        EmbeddedChannel quick = page(/* gzip= */ false);
        tick();
        messages(quick);
        messages(slow);
        writable(slow, false);

        requests(1, 10);
        tick();
        requests(2, 20);
        down(3);
        tick();
        assertThat(messages(slow)).isEmpty();
        messages(quick);
        writable(slow, true);
        tick();

        JsonTree caughtUp = only(messages(slow));
        assertThat(changedRows(caughtUp)).contains(1, 2);
        assertThat(caughtUp.at("health").items()).hasSize(1);
        assertThat(caughtUp.at("events").at(0).at("text").text()).isEqualTo("went down");
        JsonTree latest = only(messages(quick));
        assertThat(latest.at("health").items()).isEmpty();
        assertThat(latest.at("events").items()).isEmpty();
    }

    @Test
    void aPageThatMissedAnEventGetsTheRowsBeforeIt() throws Exception {
        EmbeddedChannel page = page(/* gzip= */ false);
        tick();
        messages(page);
        writable(page, false);
        requests(1, 10);
        tick();
        writable(page, true);
        down(3);

        assertThat(messages(page)).isEmpty();
        tick();

        JsonTree caughtUp = only(messages(page));
        assertThat(changedRows(caughtUp)).contains(1);
        assertThat(caughtUp.at("health").items()).hasSize(1);
        assertThat(caughtUp.at("events").items()).hasSize(1);
    }

    @Test
    void ticksOfAThousandBusyBackendsFitASlowConnection() throws Exception {
        EmbeddedChannel page = page(/* gzip= */ true);
        assertThat(bytes(page)).as("snapshot").isLessThan(HALF_OF_A_SLOW_CONNECTION);
        tick();
        tick();
        bytes(page);

        int[] sent = new int[10];
        for (int second = 0; second < sent.length; second++) {
            for (int i = 0; i < 1000; i++) {
                requests(i, 1 + (i * 7 + second * 13) % 40);
                check(i, Duration.ofNanos(200_000 + (i * 7919L + second * 104_729L) % 900_000));
            }
            tick();
            sent[second] = bytes(page);
        }

        assertThat(Arrays.stream(sent).boxed())
                .allSatisfy(bytes -> assertThat(bytes).isLessThan(HALF_OF_A_SLOW_CONNECTION));
    }

    private EmbeddedChannel page(boolean gzip) {
        EmbeddedChannel channel = new EmbeddedChannel();
        hub.subscribe(channel, -1, gzip);
        return channel;
    }

    private void tick() {
        hub.tick(now);
        now += SECOND;
    }

    private void requests(int index, int count) {
        Backend backend = backend(index);
        backend.stats().counters(0).add(BackendCounter.REQUESTS, count);
        backend.stats().counters(0).add(BackendCounter.RESPONSES_2XX, count);
        for (int i = 0; i < count; i++) {
            backend.stats().latency(0).record(1_000_000L + (index * 7919L + i * 104_729L) % 9_000_000);
        }
    }

    private void check(int index, Duration took) {
        Backend backend = backend(index);
        backend.health(backend.health().with(new LastCheck(/* ok= */ true, took, "200 OK")));
    }

    private void down(int index) {
        Backend backend = backend(index);
        backend.health(new HealthStatus(BackendState.DOWN, Instant.EPOCH, Origin.CHECK, "refused", LastCheck.NONE));
        control.timeline().add(Origin.CHECK, backend.toString(), "went down");
        hub.queueEvent(
                control.timeline().recent().get(control.timeline().recent().size() - 1));
        hub.sendQueuedEvents();
    }

    private Backend backend(int index) {
        return topology.pool("web").members().get(index).backend();
    }

    private static void writable(EmbeddedChannel channel, boolean writable) {
        channel.unsafe().outboundBuffer().setUserDefinedWritability(1, writable);
    }

    private static List<Integer> changedRows(JsonTree tick) {
        return tick.at("rows").items().stream()
                .map(row -> (int) row.at(1).number())
                .toList();
    }

    private static JsonTree only(List<JsonTree> messages) {
        assertThat(messages).hasSize(1);
        return messages.get(0);
    }

    private static List<JsonTree> messages(EmbeddedChannel channel) throws IOException {
        List<JsonTree> messages = new ArrayList<>();
        for (HttpContent content = channel.readOutbound(); content != null; content = channel.readOutbound()) {
            String text = content.content().toString(StandardCharsets.UTF_8);
            content.release();
            messages.add(JsonTree.of(text.substring(text.indexOf("data: ") + "data: ".length())));
        }
        return messages;
    }

    private static int bytes(EmbeddedChannel channel) {
        int bytes = 0;
        for (HttpContent content = channel.readOutbound(); content != null; content = channel.readOutbound()) {
            bytes += content.content().readableBytes();
            content.release();
        }
        return bytes;
    }
}
