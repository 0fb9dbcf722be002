package io.ballast.dashboard.document;

import io.ballast.core.stats.LatencySummary;
import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.live.GroupSeries;
import io.ballast.dashboard.live.Totals;

/** Writes the totals of a pool, or of the requests of all clients, as fields of the open JSON object. */
final class GroupJson {

    private GroupJson() {}

    /**
     * @param total the current totals
     */
    static void fields(JsonWriter json, Totals total, GroupSeries series) {
        json.field("total_req_count", total.requests());
        json.field("errors", total.errors());
        json.field("in_flight", total.inFlight());
        json.field("rps", series.rps());
        BackendJson.latency(json, total.latency());
        BackendJson.recent(json, series.recent());
    }

    /** Writes the subset of fields that the stream repeats every second. */
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

    /** Writes the completed client requests of a pool: their number, the errors and the rates. */
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
