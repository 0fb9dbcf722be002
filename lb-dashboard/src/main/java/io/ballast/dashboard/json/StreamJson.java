package io.ballast.dashboard.json;

import io.ballast.core.control.Event;
import io.ballast.dashboard.LiveQueries;
import io.ballast.dashboard.Readiness;
import io.ballast.dashboard.RecordedReloader.LastReload;
import io.ballast.dashboard.live.BackendSeries;
import io.ballast.dashboard.live.DnsRate;
import io.ballast.dashboard.live.LiveStats;
import io.ballast.dashboard.live.PoolSeries;
import io.ballast.dashboard.live.Row;
import io.ballast.dashboard.process.ProcessReading;
import io.netty.buffer.ByteBuf;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The messages of the stream. A snapshot says everything once; ticks say what changed since the message before, with
 * backends named by their place: {@code [pool, backend, …]}, as in the snapshot. Each method returns a buffer that the
 * caller owns.
 */
public final class StreamJson {

    private StreamJson() {}

    /**
     * What every message about the whole says.
     *
     * @param now the time
     * @param boot when this process began, so that a page notices a restart
     * @param reload the last one; told while it is a refused one
     */
    public record Header(
            Instant now,
            Instant boot,
            Readiness readiness,
            ProcessReading process,
            String version,
            Optional<LastReload> reload) {}

    public static ByteBuf snapshot(LiveStats live, Header header, List<Event> events) {
        return JsonWriter.write(json -> json.object(() -> {
            header(json, header);
            json.array("columns", () -> Row.COLUMNS.forEach(json::value));
            json.array("pools", () -> live.pools().forEach(pool -> pool(json, pool)));
            overall(json, live, header.now());
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
     * @param queries what DNS was asked since the tick before; empty where nothing is forwarded
     * @param news whether a backend's health goes into the message
     */
    public static ByteBuf tick(
            LiveStats live, Header header, Optional<LiveQueries> queries, Predicate<BackendSeries> news) {
        return JsonWriter.write(json -> json.object(() -> {
            header(json, header);
            json.array(
                    "pools",
                    () -> live.pools()
                            .forEach(pool -> json.object(() -> {
                                json.field("healthy_count", pool.healthy());
                                json.field("usable_count", pool.usable());
                                json.field("panic", pool.pool().snapshot().isPanic());
                                OrderJson.maintenanceField(json, pool.pool().maintenance());
                                GroupJson.live(json, pool.attempts());
                                GroupJson.requests(json, pool.requests());
                            })));
            overall(json, live, header.now());
            json.array(
                    "rows",
                    () -> forEach(
                            live,
                            BackendSeries::rowChanged,
                            (p, b, series) -> json.array(() -> {
                                json.value((long) p);
                                json.value((long) b);
                                row(json, series);
                            })));
            queries.ifPresent(asked -> QueryJson.live(json, asked));
            health(json, live, news);
        }));
    }

    /** What happened, with the health that follows from it. */
    public static ByteBuf timeline(LiveStats live, List<Event> events, Predicate<BackendSeries> news) {
        return JsonWriter.write(json -> json.object(() -> {
            EventJson.field(json, events);
            health(json, live, news);
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

    private static void overall(JsonWriter json, LiveStats live, Instant now) {
        json.object("overall", () -> {
            GroupJson.live(json, live.overall());
            FrontendJson.responses(json, live.frontends());
        });
        FrontendJson.live(json, live.frontends(), now);
    }

    private static void pool(JsonWriter json, PoolSeries pool) {
        json.object(() -> {
            PoolJson.description(json, pool);
            json.object("totals", () -> {
                GroupJson.live(json, pool.attempts());
                GroupJson.requests(json, pool.requests());
            });
            json.array(
                    "backends",
                    () -> pool.backends()
                            .forEach(series -> json.object(() -> {
                                json.field("addr", series.backend().address().toString());
                                json.field("file_weight", series.member().weight());
                                json.field("priority", series.member().priority());
                                json.object(
                                        "health",
                                        () -> HealthJson.fields(
                                                json, series.backend().health()));
                                json.array("row", () -> row(json, series));
                                HistoryJson.ring(json, "spark", series.spark());
                            })));
        });
    }

    private static void health(JsonWriter json, LiveStats live, Predicate<BackendSeries> news) {
        json.array(
                "health",
                () -> forEach(
                        live,
                        news,
                        (p, b, series) -> json.array(() -> {
                            json.value((long) p);
                            json.value((long) b);
                            json.object(() ->
                                    HealthJson.fields(json, series.backend().health()));
                        })));
    }

    private static void row(JsonWriter json, BackendSeries series) {
        for (double value : series.row()) {
            json.value(value);
        }
    }

    private static void forEach(LiveStats live, Predicate<BackendSeries> wanted, Place place) {
        for (int p = 0; p < live.pools().size(); p++) {
            List<BackendSeries> backends = live.pools().get(p).backends();
            for (int b = 0; b < backends.size(); b++) {
                if (wanted.test(backends.get(b))) {
                    place.accept(p, b, backends.get(b));
                }
            }
        }
    }

    @FunctionalInterface
    private interface Place {
        void accept(int pool, int backend, BackendSeries series);
    }
}
