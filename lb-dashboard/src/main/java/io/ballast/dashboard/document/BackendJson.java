package io.ballast.dashboard.document;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendStatistics;
import io.ballast.core.balance.Member;
import io.ballast.core.stats.LatencySummary;
import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.live.BackendSeries;
import io.ballast.dashboard.live.Totals;
import java.time.Instant;

/** Writes a backend with all its fields. */
final class BackendJson {

    private BackendJson() {}

    static void write(JsonWriter json, BackendSeries series) {
        write(json, series, series.currentTotals());
    }

    /**
     * @param now the current totals; passed in so that the caller can add up the same values
     */
    static void write(JsonWriter json, BackendSeries series, Totals now) {
        json.object(() -> {
            Member member = series.member();
            json.field("addr", member.backend().address().toString());
            json.field("pool", member.backend().pool());
            HealthJson.fields(json, member.backend().health());
            HealthJson.downtime(json, member.backend().downtime(), Instant.now());
            OverrideJson.field(json, member.backend().stateOverride());
            json.field("weight", member.withOverriddenWeight().weight());
            json.field("file_weight", member.weight());
            OverrideJson.weightField(json, member.backend().weightOverride());
            ExternalOverridesJson.field(json, member.backend(), Instant.now());
            json.field("priority", member.priority());
            json.field("backup", member.backup());
            json.field("slow_start_share", (double) member.backend().slowStartTenths() / Backend.ALL_TENTHS);
            json.field("in_flight", now.inFlight());
            json.field("share", series.share());
            json.field("rps", series.rps());
            json.field("total_req_count", now.requests());
            StatisticJson.fields(json, BackendStatistics.ALL, member.backend());
            json.field("ejections", member.backend().ejections());
            latency(json, now.latency());
            recent(json, series.recent());
        });
    }

    /** Writes the fields of a distribution of response times, all in milliseconds. */
    static void latency(JsonWriter json, LatencySummary latency) {
        json.field("avg_res_time", latency.averageMillis());
        json.field("p50_ms", latency.percentileMillis(0.5));
        json.field("p90_ms", latency.percentileMillis(0.9));
        json.field("p99_ms", latency.percentileMillis(0.99));
        json.field("p99_9_ms", latency.percentileMillis(0.999));
        json.field("max_ms", latency.percentileMillis(1));
    }

    /** Writes the field {@code recent}: the totals of the most recent seconds. */
    static void recent(JsonWriter json, Totals recent) {
        json.object("recent", () -> {
            json.field("requests", recent.requests());
            json.field("errors", recent.errors());
            json.field("error_share", recent.errorShare());
            latency(json, recent.latency());
        });
    }
}
