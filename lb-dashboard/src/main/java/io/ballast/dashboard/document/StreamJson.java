package io.ballast.dashboard.document;

import io.ballast.core.control.Event;
import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.live.BackendRow;
import io.ballast.dashboard.live.BackendSeries;
import io.ballast.dashboard.live.DnsRate;
import io.ballast.dashboard.live.LiveStats;
import io.ballast.dashboard.live.PageState;
import io.ballast.dashboard.live.PoolSeries;
import io.ballast.dashboard.process.ProcessReading;
import io.ballast.dashboard.source.AgentDirectory;
import io.ballast.dashboard.source.ClusterStats;
import io.ballast.dashboard.source.LiveQueries;
import io.ballast.dashboard.source.Readiness;
import io.ballast.dashboard.source.RecordingReloader.LastReload;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The messages of the event stream. A snapshot contains all data. Later messages contain only the changes since the
 * version that the page has. They identify a backend by its indexes in the snapshot, {@code [pool, backend, …]}. The
 * caller owns the returned buffers.
 */
public final class StreamJson {

    private StreamJson() {}

    /**
     * The header of snapshots and ticks.
     *
     * @param now current time
     * @param processStart start time of this process, so that a page detects a restart
     * @param reload the last reload; included only if it was refused
     * @param cluster the cluster that this process belongs to
     * @param agents the number of agents; absent if none can report to this process
     * @param certificateWarning how long before its expiry a certificate counts as expiring
     */
    public record Header(
            Instant now,
            Instant processStart,
            Readiness readiness,
            ProcessReading process,
            String version,
            Optional<LastReload> reload,
            Optional<ClusterStats> cluster,
            Optional<AgentDirectory.Counts> agents,
            Duration certificateWarning) {}

    public static ByteBuf snapshot(LiveStats live, Header header, List<Event> events) {
        return JsonWriter.write(json -> json.object(() -> {
            header(json, header);
            json.array("columns", () -> BackendRow.COLUMNS.forEach(json::value));
            json.array("pools", () -> live.pools().forEach(pool -> pool(json, pool)));
            json.object("overall", () -> overallFields(json, live));
            FrontendJson.live(json, live.frontends(), header);
            json.name("cluster");
            ClusterJson.summary(json, header.cluster());
            json.name("agents");
            AgentJson.summary(json, header.agents());
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
     * Returns the periodic message to a page. It also contains the changes of earlier messages that the page did
     * not receive.
     *
     * @param parts the parts of the message, refreshed for the current version of {@code live}
     * @param since the state of the page before this message
     * @param events events that the page has not received
     * @param queries DNS queries since the previous message; empty if DNS forwarding is off
     */
    public static ByteBuf tick(
            LiveStats live,
            StreamParts parts,
            Header header,
            PageState since,
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
            queries.ifPresent(liveQueries -> QueryJson.live(json, liveQueries));
            health(json, live, since.version());
            EventJson.field(json, events);
        }));
    }

    /** Returns a message with events and the health changes that they describe. */
    public static ByteBuf timeline(LiveStats live, List<Event> events, long since) {
        return JsonWriter.write(json -> json.object(() -> {
            EventJson.field(json, events);
            health(json, live, since);
        }));
    }

    private static void header(JsonWriter json, Header header) {
        json.field("time", header.now().toEpochMilli());
        json.field("boot", header.processStart().toEpochMilli());
        json.field("ready", header.readiness().isReady());
        json.field("ready_reason", header.readiness().reason());
        ReloadJson.reloadRefused(json, header.reload());
        ProcessJson.field(json, header.process(), header.version());
    }

    /** Writes the totals over all listeners as a JSON object. */
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
                json.object("queue", () -> PoolJson.queueLengths(json, pool.pool()));
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
                                HistoryJson.ring(json, "spark", series.sparkline());
                            })));
        });
    }

    /**
     * Writes changed health as {@code health}; checks that completed without a change of health as {@code
     * checks}.
     */
    private static void health(JsonWriter json, LiveStats live, long since) {
        json.array(
                "health",
                () -> forEach(live, (p, b, series) -> {
                    if (series.healthChangedSince(since)) {
                        json.array(() -> {
                            indexes(json, p, b);
                            json.object(() -> health(json, series));
                        });
                    }
                }));
        json.array(
                "checks",
                () -> forEach(live, (p, b, series) -> {
                    if (series.checkCompletedSince(since) && !series.healthChangedSince(since)) {
                        json.array(() -> {
                            indexes(json, p, b);
                            HealthJson.check(json, series.health().lastCheck(), series.checkResultChangedSince(since));
                        });
                    }
                }));
    }

    private static void health(JsonWriter json, BackendSeries series) {
        HealthJson.fields(json, series.health());
        HealthJson.downtime(json, series.backend().downtime(), Instant.now());
        ExternalOverridesJson.field(json, series.backend(), Instant.now());
    }

    private static void indexes(JsonWriter json, int pool, int backend) {
        json.value((long) pool);
        json.value((long) backend);
    }

    /** Writes the indexes of the backend, a bit mask of the changed columns, and the values of these columns. */
    private static void changedRow(JsonWriter json, int pool, int backend, BackendSeries series, int columns) {
        indexes(json, pool, backend);
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

    private static void forEach(LiveStats live, BackendVisitor visitor) {
        for (int p = 0; p < live.pools().size(); p++) {
            List<BackendSeries> backends = live.pools().get(p).backends();
            for (int b = 0; b < backends.size(); b++) {
                visitor.accept(p, b, backends.get(b));
            }
        }
    }

    @FunctionalInterface
    private interface BackendVisitor {
        void accept(int pool, int backend, BackendSeries series);
    }
}
