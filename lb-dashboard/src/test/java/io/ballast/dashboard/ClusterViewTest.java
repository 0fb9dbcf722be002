package io.ballast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dashboard.source.ClusterStats;
import io.ballast.dashboard.testing.DashboardFixture;
import io.ballast.dashboard.testing.EventStream;
import io.ballast.dashboard.testing.JsonTree;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tests the cluster in the API, the statistics, the event stream and the metrics. */
class ClusterViewTest {

    private static final ClusterStats MINORITY = new ClusterStats(
            "edge",
            "n1",
            /* leader= */ Optional.empty(),
            List.of("n1", "n2", "n3"),
            List.of(new ClusterStats.Node(
                    "n1", "10.0.0.1:7946", Instant.EPOCH, /* isVoter= */ true, 0, Optional.empty())),
            /* applied= */ 42,
            /* facts= */ 7,
            /* unknownFacts= */ 0,
            /* pending= */ List.of(),
            /* rejected= */ 0,
            /* refused= */ 0,
            /* failedHandshakes= */ 0,
            /* dropped= */ 0,
            new ClusterStats.Observations(0, 0, 0, 0, 0, 0),
            new ClusterStats.Votes(0, 0, 0, 0),
            ClusterStats.Configuration.NONE,
            new ClusterStats.LimitMessages(0, 0, 0));

    @AutoClose
    private final DashboardFixture fixture;

    ClusterViewTest() throws IOException {
        fixture = new DashboardFixture(1);
    }

    @Test
    void theApiHasNodesPendingChangesAndCounters() throws Exception {
        JsonTree cluster = JsonTree.of(fixture.get("/api/v1/cluster").body());

        assertThat(cluster.at("cluster").text()).isEqualTo("edge");
        assertThat(cluster.at("leader").text()).isEqualTo("n2");
        assertThat(cluster.at("missing_voters").at(0).text()).isEqualTo("n3");
        assertThat(cluster.at("nodes").at(1).at("leader").flag()).isTrue();
        assertThat(cluster.at("nodes").at(1).at("round_trip_ms").number()).isEqualTo(1.5);
        assertThat(cluster.at("pending").at(0).at("since").text()).isEqualTo("1970-01-01T00:00:00Z");
        assertThat(cluster.at("rejected_changes").number()).isEqualTo(1);
        assertThat(cluster.at("refused_connections").number()).isEqualTo(2);
        assertThat(cluster.at("observations").at("other_rows").number()).isEqualTo(6);
        assertThat(cluster.at("observations").at("refused_rows").number()).isEqualTo(10);
        assertThat(cluster.at("votes").at("overruled").number()).isEqualTo(1);
        assertThat(cluster.at("votes").at("unchecked").number()).isEqualTo(2);
        assertThat(cluster.at("limits").at("sent_bytes").number()).isEqualTo(11);
        assertThat(cluster.at("nodes").at(1).at("certificate_end").text()).isEqualTo("1970-01-02T00:00:00Z");
    }

    @Test
    void statisticsOfTheClusterAreSumsThatNameMissingNodes() throws Exception {
        JsonTree stats = JsonTree.of(fixture.get("/stats?scope=cluster").body());

        assertThat(stats.at("missing").at(0).text()).isEqualTo("n3");
        assertThat(stats.at("nodes").at(1).at("total_req_count").number()).isEqualTo(20);
        JsonTree pool = stats.at("pools").at(0);
        assertThat(pool.at("total_req_count").number()).isEqualTo(35);
        assertThat(pool.at("errors").number()).isEqualTo(3);
        assertThat(pool.at("backends").items()).hasSize(1);
        assertThat(pool.at("backends").at(0).at("nodes").number()).isEqualTo(2);
        assertThat(pool.at("backends").at(0).at("avg_res_time").number()).isBetween(1.66, 1.67);
        assertThat(pool.at("other").at("total_req_count").number()).isEqualTo(5);
        assertThat(stats.at("dns_queries").number()).isEqualTo(15);

        assertThat(fixture.get("/stats?scope=all").statusCode()).isEqualTo(400);
        fixture.cluster(Optional.empty());
        assertThat(fixture.get("/api/v1/cluster/stats").statusCode()).isEqualTo(404);
    }

    @Test
    void statisticsHaveASummary() throws Exception {
        JsonTree cluster = summary();

        assertThat(cluster.names())
                .containsExactly(
                        "name",
                        "node",
                        "leader",
                        "has_majority",
                        "voters",
                        "missing_voters",
                        "pending",
                        "pending_since");
        assertThat(cluster.at("name").text()).isEqualTo("edge");
        assertThat(cluster.at("pending").number()).isEqualTo(1);

        fixture.cluster(Optional.of(MINORITY));
        assertThat(summary().at("has_majority").flag()).isFalse();
        assertThat(summary().at("leader").isNull()).isTrue();
        assertThat(summary().at("missing_voters").items()).hasSize(2);
        assertThat(summary().names()).doesNotContain("pending_since");
    }

    private JsonTree summary() throws Exception {
        return JsonTree.of(fixture.get("/stats").body()).at("cluster");
    }

    @Test
    void aProcessOutsideOfAClusterHasNoSummaryAndNoMetrics() throws Exception {
        fixture.cluster(Optional.empty());

        assertThat(summary().isNull()).isTrue();
        assertThat(fixture.get("/api/v1/cluster").statusCode()).isEqualTo(404);
        assertThat(fixture.get("/metrics").body()).doesNotContain("ballast_cluster");
    }

    @Test
    void theStreamHasTheSummaryAndItsChanges() throws Exception {
        try (EventStream stream = new EventStream(fixture)) {
            JsonTree snapshot = stream.next("snapshot").data();
            assertThat(snapshot.at("cluster").at("leader").text()).isEqualTo("n2");

            fixture.cluster(Optional.of(MINORITY));
            stream.next(
                    "tick",
                    tick -> tick.names().contains("cluster")
                            && !tick.at("cluster").at("has_majority").flag());
            fixture.cluster(Optional.empty());
            stream.next(
                    "tick",
                    tick -> tick.names().contains("cluster")
                            && tick.at("cluster").isNull());
        }
    }

    @Test
    void metricsShowMajorityLeaderAndRoundTrips() throws Exception {
        assertThat(fixture.get("/metrics").body())
                .contains("ballast_cluster_nodes 2\n")
                .contains("ballast_cluster_voters_missing 1\n")
                .contains("ballast_cluster_has_majority 1\n")
                .contains("ballast_cluster_leader 0\n")
                .contains("ballast_cluster_applied_position 42\n")
                .contains("ballast_cluster_pending_changes 1\n")
                .containsPattern("ballast_cluster_pending_age_seconds [1-9]")
                .contains("ballast_cluster_rejected_changes_total 1\n")
                .contains("ballast_cluster_refused_connections_total 2\n")
                .contains("ballast_cluster_failed_handshakes_total 3\n")
                .contains("ballast_cluster_dropped_messages_total 4\n")
                .contains("ballast_cluster_own_rows 5\n")
                .contains("ballast_cluster_other_rows 6\n")
                .contains("ballast_cluster_sent_frames_total 7\n")
                .contains("ballast_cluster_received_frames_total 8\n")
                .contains("ballast_cluster_lost_frames_total 9\n")
                .contains("ballast_cluster_refused_rows_total 10\n")
                .contains("ballast_cluster_other_votes 6\n")
                .contains("ballast_cluster_overruled_backends 1\n")
                .contains("ballast_cluster_overruled_total 3\n")
                .contains("ballast_cluster_unchecked_backends 2\n")
                .contains("ballast_cluster_configuration_version 3\n")
                .contains("ballast_cluster_configuration_active 4\n")
                .contains("ballast_cluster_configuration_outdated 1\n")
                .contains("ballast_cluster_configuration_failures_total 2\n")
                .containsPattern("ballast_cluster_round_trip_seconds\\{node=\"n2\"} 0\\.00150*\n")
                .doesNotContain("node=\"n1\"");

        fixture.cluster(Optional.of(MINORITY));
        assertThat(fixture.get("/metrics").body())
                .contains("ballast_cluster_has_majority 0\n")
                .contains("ballast_cluster_voters_missing 2\n")
                .containsPattern("ballast_cluster_pending_age_seconds 0(\\.0+)?\n");
    }
}
