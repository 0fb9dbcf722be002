package io.ballast.dashboard.json;

import io.ballast.dashboard.live.GroupSeries;

/** The totals of several backends together, as the fields of the object that is open. */
final class GroupJson {

    private GroupJson() {}

    static void fields(JsonWriter json, GroupSeries group) {
        json.field("total_req_count", group.total().requests());
        json.field("errors", group.total().errors());
        json.field("in_flight", group.inFlight());
        json.field("rps", group.rps());
        BackendJson.latency(json, group.total().latency());
        BackendJson.recent(json, group.recent());
    }

    /** The few numbers that the stream repeats every second. */
    static void live(JsonWriter json, GroupSeries group) {
        json.field("total_req_count", group.total().requests());
        json.field("in_flight", group.inFlight());
        json.field("rps", group.rps());
        json.field("errors_per_second", group.history().lastErrorRate());
        json.field("error_share", group.recent().errorShare());
        json.field("p50_ms", group.history().lastP50());
        json.field("p99_ms", group.history().lastP99());
        boolean answered = group.recent().latency().count() > 0;
        json.field("recent_p50_ms", answered ? group.recent().latency().percentileMillis(0.5) : Double.NaN);
        json.field("recent_p99_ms", answered ? group.recent().latency().percentileMillis(0.99) : Double.NaN);
    }
}
