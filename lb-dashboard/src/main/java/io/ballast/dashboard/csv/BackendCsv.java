package io.ballast.dashboard.csv;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.backend.BackendStatistics;
import io.ballast.core.backend.BackendStats;
import io.ballast.core.backend.Downtime;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.balance.Member;
import io.ballast.core.stats.LatencySummary;
import io.ballast.dashboard.live.BackendSeries;
import io.ballast.dashboard.live.PoolSeries;
import io.ballast.dashboard.live.Totals;
import io.ballast.dashboard.server.Document;
import io.netty.buffer.ByteBuf;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Writes all backends as CSV: a header line, then one line per backend. The columns have the names of the
 * JSON API.
 */
public final class BackendCsv implements Document {

    private static final List<String> COLUMNS = List.of(
            "pool",
            "addr",
            "state",
            "is_host_alive",
            "since",
            "reason",
            "origin",
            "weight",
            "file_weight",
            "priority",
            "backup",
            "slow_start_share",
            "in_flight",
            "share",
            "rps",
            "total_req_count",
            "errors",
            "retries",
            "client_aborts",
            "bytes_to",
            "bytes_from",
            "avg_res_time",
            "p50_ms",
            "p90_ms",
            "p99_ms",
            "ejections",
            "times_down",
            "downtime_seconds",
            "last_check_ok",
            "last_check_ms",
            "last_check_text");

    private static final double NANOS_PER_MILLI = 1e6;
    private static final double MILLIS_PER_SECOND = 1e3;

    private final Iterator<BackendSeries> backends;
    private final CsvLine line = new CsvLine();
    private boolean headerWritten;

    public BackendCsv(List<PoolSeries> pools) {
        this.backends = pools.stream().flatMap(pool -> pool.backends().stream()).iterator();
    }

    @Override
    public boolean writePiece(ByteBuf out) {
        if (!headerWritten) {
            headerWritten = true;
            COLUMNS.forEach(line::text);
            Stream.concat(BackendStatistics.STATUS_CLASSES.stream(), BackendStatistics.FAILURES.stream())
                    .forEach(counter -> line.text(counter.label()));
            line.end(out);
        }
        while (out.readableBytes() < PIECE_BYTES && backends.hasNext()) {
            write(backends.next(), out);
        }
        return backends.hasNext();
    }

    private void write(BackendSeries series, ByteBuf out) {
        Member member = series.member();
        Backend backend = member.backend();
        Totals now = series.currentTotals();
        health(backend);
        line.number(member.withOverriddenWeight().weight())
                .number(member.weight())
                .number(member.priority());
        line.text(Boolean.toString(member.backup())).number((double) backend.slowStartTenths() / Backend.ALL_TENTHS);
        line.number(now.inFlight()).number(series.share()).number(series.rps());
        BackendStats stats = backend.stats();
        line.number(now.requests()).number(now.errors()).number(stats.sum(BackendCounter.RETRIES));
        line.number(stats.sum(BackendCounter.CLIENT_ABORTS));
        line.number(stats.sum(BackendCounter.BYTES_TO)).number(stats.sum(BackendCounter.BYTES_FROM));
        LatencySummary latency = now.latency();
        line.number(latency.averageMillis())
                .number(latency.percentileMillis(0.5))
                .number(latency.percentileMillis(0.9))
                .number(latency.percentileMillis(0.99));
        line.number(backend.ejections());
        Downtime downtime = backend.downtime();
        line.number(downtime.outages()).number(downtime.total(Instant.now()).toMillis() / MILLIS_PER_SECOND);
        lastCheck(backend.health().lastCheck());
        BackendStatistics.STATUS_CLASSES.forEach(counter -> line.number(stats.sum(counter)));
        BackendStatistics.FAILURES.forEach(counter -> line.number(stats.sum(counter)));
        line.end(out);
    }

    private void health(Backend backend) {
        HealthStatus health = backend.health();
        line.text(backend.pool()).text(backend.address().toString());
        line.text(health.state().label()).text(Boolean.toString(health.state().isUsable()));
        line.text(health.since().toString()).text(health.reason());
        line.text(health.origin().label());
    }

    private void lastCheck(HealthStatus.LastCheck check) {
        if (check.text().isEmpty()) {
            line.text("").text("").text("");
            return;
        }
        line.text(Boolean.toString(check.ok()))
                .number(check.duration().toNanos() / NANOS_PER_MILLI)
                .text(check.text());
    }
}
