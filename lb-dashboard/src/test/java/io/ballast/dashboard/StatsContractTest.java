package io.ballast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendCounter;
import io.ballast.core.backend.BackendStatistics;
import io.ballast.core.balance.Member;
import io.ballast.core.stats.Statistic;
import io.ballast.dashboard.testing.DashboardFixture;
import io.ballast.dashboard.testing.JsonTree;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tests the field names and meanings that docs/api.md documents. */
class StatsContractTest {

    @AutoClose
    private final DashboardFixture fixture;

    StatsContractTest() throws IOException {
        fixture = new DashboardFixture(2);
    }

    @Test
    void requestsAreCountedAndSuccessfulOnesAveraged() throws Exception {
        fixture.traffic(0, 3, 10);
        fixture.traffic(0, 1, 50);
        fixture.backend(0).stats().counters(0).increment(BackendCounter.REQUESTS);
        fixture.backend(0).stats().counters(0).increment(BackendCounter.FAILED_RESET);

        JsonTree backend =
                JsonTree.of(fixture.get("/stats").body()).at("backends").at(0);

        assertThat(backend.at("addr").text()).isEqualTo("127.0.0.1:9001");
        assertThat(backend.at("total_req_count").number()).isEqualTo(5);
        assertThat(backend.at("avg_res_time").number()).isEqualTo(20);
        assertThat(backend.at("failures").at("reset").number()).isEqualTo(1);
        assertThat(backend.at("responses").at("2xx").number()).isEqualTo(4);
        assertThat(backend.at("max_ms").number()).isBetween(50.0, 54.0);
    }

    @Test
    void everyBackendHasEveryField() throws Exception {
        JsonTree backend =
                JsonTree.of(fixture.get("/api/v1/stats").body()).at("backends").at(1);

        List<String> counters = BackendStatistics.ALL.stream()
                .map(Statistic::field)
                .filter(field -> !field.isEmpty())
                .toList();
        assertThat(counters)
                .startsWith(
                        "responses",
                        "failures",
                        "retries",
                        "client_aborts",
                        "bytes_to",
                        "bytes_from",
                        "connects",
                        "reuses");
        assertThat(backend.names()).containsSubsequence(counters);
        assertThat(backend.names())
                .filteredOn(name -> !counters.contains(name))
                .containsExactlyInAnyOrder(
                        "addr",
                        "pool",
                        "state",
                        "is_host_alive",
                        "since",
                        "reason",
                        "origin",
                        "last_check",
                        "order",
                        "weight",
                        "file_weight",
                        "weight_order",
                        "overrides",
                        "priority",
                        "backup",
                        "slow_start_share",
                        "in_flight",
                        "share",
                        "rps",
                        "total_req_count",
                        "ejections",
                        "times_down",
                        "downtime_seconds",
                        "avg_res_time",
                        "p50_ms",
                        "p90_ms",
                        "p99_ms",
                        "p99_9_ms",
                        "max_ms",
                        "recent");
        assertThat(backend.at("responses").names()).containsExactly("1xx", "2xx", "3xx", "4xx", "5xx");
        assertThat(backend.at("failures").names())
                .containsExactly(
                        "connect_refused",
                        "connect_timeout",
                        "connect_failed",
                        "reset",
                        "response_timeout",
                        "bad_response");
    }

    @Test
    void statsHavePoolsListenersDnsAndTheProcess() throws Exception {
        JsonTree stats = JsonTree.of(fixture.get("/stats").body());

        assertThat(stats.names())
                .containsExactlyInAnyOrder(
                        "time", "backends", "pools", "total", "listeners", "policies", "dns", "cluster", "process");
        assertThat(stats.at("pools").at(0).at("name").text()).isEqualTo("web");
        assertThat(stats.at("pools").at(0).at("usable_count").number()).isEqualTo(2);
        assertThat(stats.at("pools").at(0).at("healthy_count").number()).isEqualTo(2);
        assertThat(stats.at("listeners").at(0).at("responses").at("5xx").number())
                .isEqualTo(50);
        assertThat(stats.at("dns").at("queries_by_type").at("A").number()).isEqualTo(9);
        assertThat(stats.at("dns").names())
                .containsExactly(
                        "addrs",
                        "queries",
                        "qps",
                        "servfail_per_second",
                        "queries_by_type",
                        "forwards",
                        "forwarded_queries",
                        "forwarded",
                        "cache");
        assertThat(stats.at("dns").at("forwarded").names()).containsExactly("hit", "miss");
        assertThat(stats.at("process").names())
                .containsExactly(
                        "version",
                        "uptime_seconds",
                        "cpu_seconds",
                        "rss_bytes",
                        "heap_bytes",
                        "direct_bytes",
                        "threads");
        assertThat(stats.at("process").at("version").text()).isEqualTo(DashboardFixture.VERSION);
    }

    @Test
    void outagesOfABackendAreCountedAndSummed() throws Exception {
        fixture.down(0, "connection refused");

        JsonTree backends = JsonTree.of(fixture.get("/api/v1/pools").body())
                .at("pools")
                .at(0)
                .at("backends");

        assertThat(backends.at(0).at("times_down").number()).isEqualTo(1);
        assertThat(backends.at(0).at("downtime_seconds").number()).isBetween(0.0, 60.0);
        assertThat(backends.at(1).at("times_down").number()).isZero();
        assertThat(backends.at(1).at("downtime_seconds").number()).isZero();
    }

    @Test
    void aPoolHasTheCurrentMaximumAndConfiguredQueueLength() throws Exception {
        JsonTree queue = JsonTree.of(fixture.get("/api/v1/pools").body())
                .at("pools")
                .at(0)
                .at("queue");

        assertThat(queue.names()).startsWith("waiting", "max_waiting", "size");
    }

    @Test
    void aBackupIsMarked() throws Exception {
        Member first = fixture.topology().pool("web").members().get(0);
        Member backup = new Member(first.backend(), 1, 0, /* backup= */ true, "");
        fixture.backend(0).slowStartTenths(3);
        fixture.topology(DashboardFixture.after(
                fixture.topology(),
                List.of(DashboardFixture.with(fixture.topology().pool("web"), List.of(backup)))));

        JsonTree backend = JsonTree.of(fixture.get("/api/v1/pools").body())
                .at("pools")
                .at(0)
                .at("backends")
                .at(0);

        assertThat(backend.at("backup").value()).isEqualTo(true);
        assertThat(backend.at("slow_start_share").number()).isEqualTo(0.3);
    }

    @Test
    void theTotalCountsClientRequestsAndResponses() throws Exception {
        fixture.traffic(0, 5, 10);

        JsonTree stats = JsonTree.of(fixture.get("/stats").body());

        assertThat(stats.at("total").at("total_req_count").number()).isEqualTo(70);
        assertThat(stats.at("total").at("in_flight").number()).isEqualTo(4);
        assertThat(stats.at("total").at("errors").number()).isEqualTo(51);
        assertThat(stats.at("total").at("responses").at("5xx").number()).isEqualTo(50);
        assertThat(stats.at("total").at("max_ms").number()).isBetween(10.0, 11.0);
        assertThat(stats.at("listeners").at(0).at("completed").number()).isEqualTo(66);
        assertThat(stats.at("pools").at(0).at("total_req_count").number()).isEqualTo(5);
    }

    @Test
    void aPoolsTotalsAreConsistentWithItsBackends() throws Exception {
        fixture.get("/stats");
        fixture.traffic(0, 5, 10);
        fixture.backend(0).inFlight().begin();
        fixture.backend(1).inFlight().begin();

        JsonTree stats = JsonTree.of(fixture.get("/stats").body());
        JsonTree pool = JsonTree.of(fixture.get("/api/v1/pools/web").body());

        assertThat(stats.at("pools").at(0).at("total_req_count").number()).isEqualTo(5);
        assertThat(stats.at("pools").at(0).at("in_flight").number()).isEqualTo(2);
        assertThat(pool.at("in_flight").number()).isEqualTo(2);
        assertThat(pool.at("backends").at(1).at("in_flight").number()).isEqualTo(1);
    }

    @Test
    void aDownBackendHasTheReason() throws Exception {
        fixture.down(1, "connection refused");

        JsonTree backend = JsonTree.of(
                fixture.get("/api/v1/pools/web/backends/127.0.0.1%3A9002").body());

        assertThat(backend.at("state").text()).isEqualTo("down");
        assertThat(backend.at("is_host_alive").flag()).isFalse();
        assertThat(backend.at("reason").text()).isEqualTo("connection refused");
        assertThat(backend.at("origin").text()).isEqualTo("check");
        assertThat(backend.at("last_check").at("ok").flag()).isFalse();
        assertThat(backend.at("last_check").at("took_ms").number()).isEqualTo(3);
    }
}
