package io.ballast.dashboard.document;

import io.ballast.core.stats.LatencySummary;
import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.live.BackendSeries;
import io.ballast.dashboard.live.PoolSeries;
import io.ballast.dashboard.live.Totals;
import java.util.List;

/**
 * Writes the upstream resolvers, which are the backends of the forwarder's pools, with the fields that matter
 * for resolvers.
 */
public final class UpstreamsJson {

    private UpstreamsJson() {}

    public static void write(JsonWriter json, List<PoolSeries> pools) {
        json.object(() -> json.array(
                "upstreams", () -> pools.forEach(pool -> pool.backends().forEach(series -> upstream(json, series)))));
    }

    private static void upstream(JsonWriter json, BackendSeries series) {
        Totals total = series.total();
        json.object(() -> {
            json.field("pool", series.backend().pool());
            json.field("addr", series.backend().address().toString());
            HealthJson.fields(json, series.backend().health());
            json.field("queries", total.requests());
            json.field("qps", series.rps());
            json.field("failures", total.errors());
            json.field("waiting", total.inFlight());
            latencies(json, total.latency());
            json.object("recent", () -> {
                json.field("queries", series.recent().requests());
                json.field("failures", series.recent().errors());
                latencies(json, series.recent().latency());
            });
        });
    }

    /** Writes the latency fields; their value is null if there was no response. */
    private static void latencies(JsonWriter json, LatencySummary latency) {
        boolean answered = latency.count() > 0;
        json.field("mean_ms", answered ? latency.averageMillis() : Double.NaN);
        json.field("p95_ms", answered ? latency.percentileMillis(0.95) : Double.NaN);
    }
}
