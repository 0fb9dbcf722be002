package io.ballast.dashboard.live;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.stats.LatencySummary;
import java.util.List;

/** The per-second values of a backend in the dashboard's event stream, as numbers in a fixed order. */
public final class BackendRow {

    /**
     * Column names, sent once with each snapshot. {@code recent_*} is null without recent responses; {@code
     * slow_start_share} is 1 except during slow start.
     */
    public static final List<String> COLUMNS = List.of(
            "total_req_count",
            "rps",
            "share",
            "in_flight",
            "avg_res_time",
            "p99_ms",
            "recent_avg_ms",
            "recent_p99_ms",
            "errors",
            "recent_errors",
            "retries",
            "weight",
            "slow_start_share");

    private BackendRow() {}

    static double[] of(BackendSeries series) {
        LatencySummary total = series.total().latency();
        LatencySummary recent = series.recent().latency();
        boolean answered = recent.count() > 0;
        return new double[] {
            series.total().requests(),
            series.rps(),
            series.share(),
            series.total().inFlight(),
            total.averageMillis(),
            total.percentileMillis(0.99),
            answered ? recent.averageMillis() : Double.NaN,
            answered ? recent.percentileMillis(0.99) : Double.NaN,
            series.total().errors(),
            series.recent().errors(),
            series.backend().stats().sum(BackendCounter.RETRIES),
            series.member().withOverriddenWeight().weight(),
            (double) series.backend().slowStartTenths() / Backend.ALL_TENTHS
        };
    }
}
