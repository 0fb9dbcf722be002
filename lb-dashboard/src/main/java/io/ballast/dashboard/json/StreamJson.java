package io.ballast.dashboard.json;

import io.ballast.core.control.Event;
import io.ballast.dashboard.LiveQueries;
import io.ballast.dashboard.Readiness;
import io.ballast.dashboard.RecordedReloader.LastReload;
import io.ballast.dashboard.live.BackendSeries;
import io.ballast.dashboard.live.DnsRate;
import io.ballast.dashboard.live.Known;
import io.ballast.dashboard.live.LiveStats;
import io.ballast.dashboard.live.PoolSeries;
import io.ballast.dashboard.live.Row;
import io.ballast.dashboard.process.ProcessReading;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The messages of the stream. A snapshot has everything; later messages have what changed after the version that the page
 * has, with backends named by their place: {@code [pool, backend, …]}, as in the snapshot. Each method returns a buffer that
 * the caller owns.
 */
public final class StreamJson {

    private StreamJson() {}

    /**
     * What every message about the whole says.
     *
     * @param now the time
     * @param boot when this process began, so that a page notices a restart
     * @param reload the last one; told while it is a refused one
     * @param certificateWarning how long before its end a certificate counts as expiring
     */
    public record Header(
            Instant now,
            Instant boot,
            Readiness readiness,
            ProcessReading process,
            String version,
            Optional<LastReload> reload,
            Duration certificateWarning) {}

    public static ByteBuf snapshot(LiveStats live, Header header, List<Event> events) {
        return JsonWriter.write(json -> json.object(() -> {
            header(json, header);
            json.array("columns", () -> Row.COLUMNS.forEach(json::value));
            json.array("pools", () -> live.pools().forEach(pool -> pool(json, pool)));
            json.object("overall", () -> overallFields(json, live));
            FrontendJson.live(json, live.frontends(), header);
            json.object("history", () -> {
                HistoryJson.fields(json, live.history());
                Optional<DnsRate> dns = live.frontends().dns();
                HistoryJson.ring(json, "qps", dns.map(DnsRate::history));
                HistoryJson.ring(json, "servfail_per_second", dns.map(DnsRate::failureHistory));
                FrontendJson.history(json, live.frontends());
            });
            EventJson.field(json, events);
        }));
    }

    /**
     * A tick, which also brings a page up to date that missed earlier ones.
     *
     * @param parts refreshed for this version of {@code live}
     * @param since what the page knows
     * @param events those that the page missed
     * @param queries what DNS was asked since the tick before; empty where nothing is forwarded
     */
    public static ByteBuf tick(
            LiveStats live,
            StreamParts parts,
            Header header,
            Known since,
            List<Event> events,
            Optional<LiveQueries> queries) {
        return JsonWriter.write(json -> json.object(() -> {
            header(json, header);
            parts.write(json, since.parts());
            json.array(
                    "rows",
                    () -> forEach(live, (p, b, series) -> {
                        int columns = series.columnsChangedSince(since.version());
                        if (columns != 0) {
                            json.array(() -> changedRow(json, p, b, series, columns));
                        }
                    }));
            queries.ifPresent(asked -> QueryJson.live(json, asked));
            health(json, live, since.version());
            EventJson.field(json, events);
        }));
    }

    /** What happened, with the health that follows from it. */
    public static ByteBuf timeline(LiveStats live, List<Event> events, long since) {
        return JsonWriter.write(json -> json.object(() -> {
            EventJson.field(json, events);
            health(json, live, since);
        }));
    }

    private static void header(JsonWriter json, Header header) {
        json.field("time", header.now().toEpochMilli());
        json.field("boot", header.boot().toEpochMilli());
        json.field("ready", header.readiness().ready());
        json.field("ready_reason", header.readiness().reason());
        ReloadJson.refused(json, header.reload());
        ProcessJson.field(json, header.process(), header.version());
    }

    /** Writes what clients got, over all listeners, as a value. */
    static void overall(JsonWriter json, LiveStats live) {
        json.object(() -> overallFields(json, live));
    }

    private static void overallFields(JsonWriter json, LiveStats live) {
        GroupJson.live(json, live.overall());
        FrontendJson.responses(json, live.frontends());
    }

    private static void pool(JsonWriter json, PoolSeries pool) {
        json.object(() -> {
            PoolJson.description(json, pool);
            json.object("totals", () -> {
                GroupJson.live(json, pool.attempts());
                GroupJson.requests(json, pool.requests());
                json.object("queue", () -> PoolJson.waiting(json, pool.pool()));
            });
            json.array(
                    "backends",
                    () -> pool.backends()
                            .forEach(series -> json.object(() -> {
                                json.field("addr", series.backend().address().toString());
                                json.field("file_weight", series.member().weight());
                                json.field("priority", series.member().priority());
                                json.field("backup", series.member().backup());
                                json.object("health", () -> health(json, series));
                                json.array("row", () -> row(json, series));
                                HistoryJson.ring(json, "spark", series.spark());
                            })));
        });
    }

    /** Writes health that changed as {@code health}, and checks that ended without changing it as {@code checks}. */
    private static void health(JsonWriter json, LiveStats live, long since) {
        json.array(
                "health",
                () -> forEach(live, (p, b, series) -> {
                    if (series.healthChangedSince(since)) {
                        json.array(() -> {
                            place(json, p, b);
                            json.object(() -> health(json, series));
                        });
                    }
                }));
        json.array(
                "checks",
                () -> forEach(live, (p, b, series) -> {
                    if (series.checkedSince(since) && !series.healthChangedSince(since)) {
                        json.array(() -> {
                            place(json, p, b);
                            HealthJson.check(json, series.health().lastCheck(), series.checkResultChangedSince(since));
                        });
                    }
                }));
    }

    private static void health(JsonWriter json, BackendSeries series) {
        HealthJson.fields(json, series.health());
        HealthJson.downtime(json, series.backend().downtime(), Instant.now());
    }

    private static void place(JsonWriter json, int pool, int backend) {
        json.value((long) pool);
        json.value((long) backend);
    }

    /** Writes the bits of the columns that changed, then the value of each. */
    private static void changedRow(JsonWriter json, int pool, int backend, BackendSeries series, int columns) {
        place(json, pool, backend);
        json.value((long) columns);
        double[] row = series.row();
        for (int column = 0; column < row.length; column++) {
            if ((columns & 1 << column) != 0) {
                json.value(row[column]);
            }
        }
    }

    private static void row(JsonWriter json, BackendSeries series) {
        for (double value : series.row()) {
            json.value(value);
        }
    }

    private static void forEach(LiveStats live, Place place) {
        for (int p = 0; p < live.pools().size(); p++) {
            List<BackendSeries> backends = live.pools().get(p).backends();
            for (int b = 0; b < backends.size(); b++) {
                place.accept(p, b, backends.get(b));
            }
        }
    }

    @FunctionalInterface
    private interface Place {
        void accept(int pool, int backend, BackendSeries series);
    }
}
