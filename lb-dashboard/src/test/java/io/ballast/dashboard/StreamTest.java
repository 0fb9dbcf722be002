package io.ballast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.HealthStatus;
import io.ballast.dashboard.stream.StreamHub;
import io.ballast.dashboard.testing.DashboardFixture;
import io.ballast.dashboard.testing.EventStream;
import io.ballast.dashboard.testing.EventStream.Message;
import io.ballast.dashboard.testing.FakeListener;
import io.ballast.dashboard.testing.JsonTree;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StreamTest {
    private static final Duration WELL_WITHIN_A_SECOND = Duration.ofMillis(700);
    private static final int ATTEMPTS = 10;

    private DashboardFixture fixture;

    @BeforeEach
    void start() throws IOException {
        fixture = new DashboardFixture(3);
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    @Test
    void theStreamStartsWithASnapshotFollowedByTicks() throws Exception {
        fixture.traffic(1, 40, 8);

        try (EventStream stream = new EventStream(fixture)) {
            Message snapshot = stream.next();
            JsonTree tick = stream.next("tick").data();

            assertThat(stream.response().headers().firstValue("content-type")).hasValue("text/event-stream");
            assertThat(snapshot.event()).isEqualTo("snapshot");
            assertThat(snapshot.data().at("pools").at(0).at("backends").items()).hasSize(3);
            assertThat(tick.at("overall").at("total_req_count").number()).isEqualTo(70);
            assertThat(tick.at("overall").at("errors").number()).isEqualTo(51);
            assertThat(tick.at("overall").at("responses").at("5xx").number()).isEqualTo(50);
            JsonTree pool = tick.at("pools").at(0).at(1);
            assertThat(pool.at("total_req_count").number()).isEqualTo(40);
            assertThat(pool.at("requests").names())
                    .containsExactly("completed", "errors", "rps", "errors_per_second", "error_share");
            assertThat(pool.at("usable_count").number()).isEqualTo(3);
            assertThat(pool.at("healthy_count").number()).isEqualTo(3);
            assertThat(snapshot.data().at("pools").at(0).at("healthy_count").number())
                    .isEqualTo(3);
        }
    }

    @Test
    void aTickHasOnlyTheChangedColumnsOfChangedBackends() throws Exception {
        try (EventStream stream = new EventStream(fixture)) {
            List<String> columns = stream.next("snapshot").data().at("columns").items().stream()
                    .map(JsonTree::text)
                    .toList();
            fixture.traffic(2, 10, 5);

            JsonTree rows = stream.next("tick", tick -> requests(tick.at("rows")) == 10)
                    .data()
                    .at("rows");

            assertThat(rows.items()).hasSize(1);
            JsonTree row = rows.at(0);
            assertThat(row.at(0).number()).isZero();
            assertThat(row.at(1).number()).isEqualTo(2);
            int changed = (int) row.at(2).number();
            assertThat(changed & 1 << columns.indexOf("total_req_count")).isNotZero();
            assertThat(changed & 1 << columns.indexOf("weight")).isZero();
            assertThat(changed & 1 << columns.indexOf("errors")).isZero();
            assertThat(row.items()).hasSize(3 + Integer.bitCount(changed));
        }
    }

    @Test
    void aTickOmitsUnchangedParts() throws Exception {
        try (EventStream stream = new EventStream(fixture)) {
            stream.next("tick");

            JsonTree tick = stream.next("tick", data -> data.at("pools").items().isEmpty())
                    .data();

            assertThat(tick.names()).doesNotContain("certificates");
            assertThat(tick.at("rows").items()).isEmpty();
            assertThat(tick.at("health").items()).isEmpty();
            assertThat(tick.at("checks").items()).isEmpty();
        }
    }

    @Test
    void anUnchangedCheckSendsOnlyItsDuration() throws Exception {
        try (EventStream stream = new EventStream(fixture)) {
            fixture.checked(1, /* millis= */ 2);
            JsonTree first = stream.next(
                            "tick", tick -> !tick.at("checks").items().isEmpty())
                    .data()
                    .at("checks");
            fixture.checked(1, /* millis= */ 7);
            JsonTree second = stream.next(
                            "tick", tick -> !tick.at("checks").items().isEmpty())
                    .data()
                    .at("checks");

            assertThat(first)
                    .hasToString(JsonTree.of("[[0, 1, 2, true, \"200 OK\"]]").toString());
            assertThat(second).hasToString(JsonTree.of("[[0, 1, 7]]").toString());
        }
    }

    @Test
    void gzipStreamsFlushEachMessage() throws Exception {
        try (EventStream stream = new EventStream(fixture, "Accept-Encoding", "gzip")) {
            assertThat(stream.response().headers().firstValue("content-encoding"))
                    .hasValue("gzip");
            assertThat(stream.response().headers().firstValue("vary")).hasValue("accept-encoding");
            assertThat(stream.next().event()).isEqualTo("snapshot");
            assertThat(stream.next().event()).isEqualTo("tick");
            assertThat(stream.next().event()).isEqualTo("tick");

            fixture.dashboard().close();

            assertThat(stream.awaitEnd()).isEqualTo("complete");
        }
    }

    @Test
    void aStateChangeIsSentWithinASecond() throws Exception {
        try (EventStream stream = new EventStream(fixture)) {
            JsonTree health = JsonTree.of("[]");
            // On a busy machine, the event may take longer, or a tick may report the change first.
            for (int i = 1; i <= ATTEMPTS && health.items().isEmpty(); i++) {
                stream.next("tick");
                long before = System.nanoTime();
                fixture.down(1, "connection refused");

                Message message = stream.next("timeline");
                Duration took = Duration.ofNanos(System.nanoTime() - before);

                assertThat(message.id()).isEqualTo(String.valueOf(i));
                assertThat(message.data().at("events").at(0).at("subject").text())
                        .isEqualTo("web/127.0.0.1:9002");
                health = took.compareTo(WELL_WITHIN_A_SECOND) < 0
                        ? message.data().at("health")
                        : health;
            }

            assertThat(health.items()).hasSize(1);
            assertThat(health.at(0).at(1).number()).isEqualTo(1);
            assertThat(health.at(0).at(2).at("state").text()).isEqualTo("down");
            assertThat(health.at(0).at(2).at("reason").text()).isEqualTo("connection refused");
        }
    }

    @Test
    void aReconnectedPageGetsTheMissedEvents() throws Exception {
        fixture.down(0, "first");
        fixture.down(1, "second");

        try (EventStream fresh = new EventStream(fixture);
                EventStream back = new EventStream(fixture, "Last-Event-ID", "1");
                EventStream fromAnotherLife = new EventStream(fixture, "Last-Event-ID", "999")) {
            assertThat(fresh.next("snapshot").data().at("events").items()).hasSize(2);
            Message missed = back.next("snapshot");
            assertThat(missed.data().at("events").items()).hasSize(1);
            assertThat(missed.data().at("events").at(0).at("text").text()).contains("second");
            assertThat(missed.id()).isEqualTo("2");
            assertThat(fromAnotherLife.next("snapshot").data().at("events").items())
                    .hasSize(2);
        }
    }

    @Test
    void aNewTopologyIsSentAsANewSnapshot() throws Exception {
        try (EventStream stream = new EventStream(fixture)) {
            stream.next("snapshot");
            fixture.topology(DashboardFixture.topology(Map.of("other", 1)));

            JsonTree pools = stream.next("snapshot").data().at("pools");

            assertThat(pools.items()).hasSize(1);
            assertThat(pools.at(0).at("name").text()).isEqualTo("other");
            assertThat(fixture.get("/metrics").body())
                    .contains("pool=\"other\"")
                    .doesNotContain("pool=\"web\"");
        }
    }

    @Test
    void aReloadIsSentTogetherWithItsEvent() throws Exception {
        try (EventStream stream = new EventStream(fixture)) {
            boolean once = false;
            // A tick between the two changes would report only one of them.
            for (int i = 1; i <= ATTEMPTS && !once; i++) {
                stream.next("tick");
                fixture.topology(DashboardFixture.after(fixture.topology(), List.of()));
                fixture.control().timeline().add(HealthStatus.Origin.OPERATOR, "ballast", "reloaded by SIGHUP");

                JsonTree snapshot = stream.next("snapshot").data();

                assertThat(snapshot.at("pools").items()).isEmpty();
                List<JsonTree> events = snapshot.at("events").items();
                assertThat(events)
                        .allSatisfy(event -> assertThat(event.at("text").text()).isEqualTo("reloaded by SIGHUP"));
                once = events.size() == i && stream.next().event().equals("tick");
            }
            assertThat(once).as("contained in one snapshot").isTrue();
        }
    }

    @Test
    void addedAndRemovedFrontendsAreSent() throws Exception {
        try (EventStream stream = new EventStream(fixture)) {
            assertThat(stream.next("snapshot").data().at("dns").isNull()).isFalse();
            fixture.listeners(List.of(new FakeListener("side")));
            fixture.dns(Optional.empty());

            JsonTree snapshot =
                    stream.next("snapshot", data -> data.at("dns").isNull()).data();

            assertThat(snapshot.at("history").at("qps").items()).isEmpty();
            assertThat(snapshot.at("listeners").items()).hasSize(1);
            assertThat(snapshot.at("listeners").at(0).at("name").text()).isEqualTo("side");
            assertThat(snapshot.at("overall").at("total_req_count").number())
                    .as("counters of the removed listener")
                    .isEqualTo(70);
        }
    }

    @Test
    void theStreamEndsRegularlyWhenTheDashboardCloses() throws Exception {
        try (EventStream stream = new EventStream(fixture)) {
            stream.next("snapshot");

            fixture.dashboard().close();

            assertThat(stream.awaitEnd()).isEqualTo("complete");
        }
    }

    @Test
    void pagesBeyondTheLimitGetA503() throws Exception {
        List<EventStream> open = new ArrayList<>();
        try {
            for (int i = 0; i < StreamHub.MAX_CLIENTS; i++) {
                open.add(new EventStream(fixture));
            }

            assertThat(fixture.get("/api/v1/stream").statusCode()).isEqualTo(503);
        } finally {
            for (EventStream stream : open) {
                stream.close();
            }
        }
    }

    /** Returns the first changed column of the first row of a tick; 0 if there are no rows. */
    private static double requests(JsonTree rows) {
        return rows.items().isEmpty() ? 0 : rows.at(0).at(3).number();
    }
}
