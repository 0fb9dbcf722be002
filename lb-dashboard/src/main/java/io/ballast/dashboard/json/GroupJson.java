package io.ballast.dashboard.json;

import io.ballast.core.stats.LatencySummary;
import io.ballast.dashboard.live.GroupSeries;
import io.ballast.dashboard.live.Totals;

/** Totals of a pool, or of all clients' requests, as the fields of the object that is open. */
final class GroupJson {

    private GroupJson() {}

    /** @param total as it is at the moment of writing */
    static void fields(JsonWriter json, Totals total, GroupSeries series) {
        json.field("total_req_count", total.requests());
        json.field("errors", total.errors());
        json.field("in_flight", total.inFlight());
        json.field("rps", series.rps());
        BackendJson.latency(json, total.latency());
        BackendJson.recent(json, series.recent());
    }

    /** The few numbers that the stream repeats every second. */
    static void live(JsonWriter json, GroupSeries series) {
        json.field("total_req_count", series.total().requests());
        json.field("errors", series.total().errors());
        json.field("in_flight", series.total().inFlight());
        rates(json, series);
        LatencySummary last = series.lastSecond();
        json.field("p50_ms", percentile(last, 0.5));
        json.field("p99_ms", percentile(last, 0.99));
        LatencySummary recent = series.recent().latency();
        json.field("recent_p50_ms", percentile(recent, 0.5));
        json.field("recent_p99_ms", percentile(recent, 0.99));
    }

    /** Clients' requests that went to a pool and are over. */
    static void requests(JsonWriter json, GroupSeries series) {
        json.object("requests", () -> {
            json.field("completed", series.total().requests());
            json.field("errors", series.total().errors());
            rates(json, series);
        });
    }

    private static void rates(JsonWriter json, GroupSeries series) {
        json.field("rps", series.rps());
        json.field("errors_per_second", series.errorsPerSecond());
        json.field("error_share", series.recent().errorShare());
    }

    private static double percentile(LatencySummary latency, double share) {
        return latency.count() > 0 ? latency.percentileMillis(share) : Double.NaN;
    }
}
