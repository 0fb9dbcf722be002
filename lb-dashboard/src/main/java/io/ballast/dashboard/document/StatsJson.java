package io.ballast.dashboard.document;

import io.ballast.core.control.Event;
import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.live.BackendSeries;
import io.ballast.dashboard.live.LiveStats;
import io.ballast.dashboard.live.PoolSeries;
import io.ballast.dashboard.live.Totals;
import io.ballast.dashboard.live.TotalsSum;
import io.ballast.dashboard.process.ProcessReading;
import io.ballast.dashboard.server.Document;
import io.ballast.dashboard.source.ClusterStats;
import io.ballast.dashboard.source.Readiness;
import io.netty.buffer.ByteBuf;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Creates the documents of the API. Documents that grow with the number of backends are written in pieces.
 * The caller owns returned buffers.
 */
public final class StatsJson {

    private StatsJson() {}

    /** Returns the response to {@code GET /stats}: all statistics. */
    public static Document stats(
            LiveStats live, Optional<ClusterStats> cluster, ProcessReading process, String version, Instant now) {
        List<PoolSeries> pools = live.pools();
        Totals[] attempts = new Totals[pools.size()];
        return new JsonDocument(concatenate(List.of(
                Stream.of(json -> {
                    json.beginObject();
                    json.field("time", now.toString());
                    json.beginArray("backends");
                }),
                IntStream.range(0, pools.size()).boxed().flatMap(i -> backends(pools.get(i), attempts, i)),
                Stream.of(json -> {
                    json.endArray();
                    json.beginArray("pools");
                }),
                IntStream.range(0, pools.size()).mapToObj(i -> json -> PoolJson.write(json, pools.get(i), attempts[i])),
                Stream.of(json -> {
                    json.endArray();
                    json.object("total", () -> FrontendJson.total(json, live, List.of(attempts)));
                    FrontendJson.fields(json, live.frontends());
                    json.name("cluster");
                    ClusterJson.summary(json, cluster);
                    ProcessJson.field(json, process, version);
                    json.endObject();
                }))));
    }

    /** Returns the response to {@code GET /api/v1/pools}. */
    public static Document pools(LiveStats live) {
        return new JsonDocument(concatenate(List.of(
                Stream.of(json -> {
                    json.beginObject();
                    json.beginArray("pools");
                }),
                live.pools().stream().flatMap(StatsJson::poolWithBackends),
                Stream.of(json -> {
                    json.endArray();
                    json.endObject();
                }))));
    }

    /** Returns the response to {@code GET /api/v1/backends}. */
    public static Document backends(LiveStats live) {
        return new JsonDocument(concatenate(List.of(
                Stream.of(json -> {
                    json.beginObject();
                    json.beginArray("backends");
                }),
                live.pools().stream()
                        .flatMap(pool -> pool.backends().stream())
                        .map(backend -> json -> BackendJson.write(json, backend)),
                Stream.of(json -> {
                    json.endArray();
                    json.endObject();
                }))));
    }

    /** Returns the response to {@code GET /api/v1/pools/{pool}}. */
    public static Document pool(PoolSeries pool) {
        return new JsonDocument(poolWithBackends(pool));
    }

    /** Returns the response to a command on a pool: the description of the pool without totals and backends. */
    public static ByteBuf poolDescription(PoolSeries pool) {
        return JsonWriter.write(json -> json.object(() -> PoolJson.description(json, pool)));
    }

    /** Returns the response to {@code GET /api/v1/pools/{pool}/backends/{backend}}. */
    public static ByteBuf backend(BackendSeries backend) {
        return JsonWriter.write(json -> BackendJson.write(json, backend));
    }

    /** Returns the response to {@code GET /api/v1/events}. */
    public static ByteBuf events(List<Event> events) {
        return JsonWriter.write(json -> json.object(() -> EventJson.field(json, events)));
    }

    /** Returns the response to {@code GET /api/v1/health}. */
    public static ByteBuf health(LiveStats live, Readiness readiness) {
        return JsonWriter.write(json -> json.object(() -> {
            json.field("ready", readiness.isReady());
            json.field("reason", readiness.reason());
            json.array(
                    "pools",
                    () -> live.pools()
                            .forEach(pool -> json.object(() -> {
                                json.field("name", pool.pool().name());
                                json.field("backend_count", pool.backends().size());
                                json.field("healthy_count", pool.healthy());
                                json.field("usable_count", pool.usable());
                                json.field("panic", pool.pool().snapshot().isPanic());
                            })));
        }));
    }

    /** Returns the steps that write a pool with its backends. */
    private static Stream<Consumer<JsonWriter>> poolWithBackends(PoolSeries pool) {
        Totals[] attempts = {Totals.NONE};
        return concatenate(List.of(
                Stream.of(json -> {
                    json.beginObject();
                    json.beginArray("backends");
                }),
                backends(pool, attempts, 0),
                Stream.of(json -> {
                    json.endArray();
                    PoolJson.fields(json, pool, attempts[0]);
                    json.endObject();
                })));
    }

    /**
     * Returns the steps that write a pool's backends; the last one stores the sum of the written totals in {@code
     * attempts[index]}.
     */
    private static Stream<Consumer<JsonWriter>> backends(PoolSeries pool, Totals[] attempts, int index) {
        TotalsSum written = new TotalsSum();
        return concatenate(List.of(
                pool.backends().stream().map(backend -> json -> {
                    Totals now = backend.currentTotals();
                    BackendJson.write(json, backend, now);
                    written.add(now);
                }),
                Stream.of(json -> attempts[index] = written.total())));
    }

    private static Stream<Consumer<JsonWriter>> concatenate(List<Stream<Consumer<JsonWriter>>> parts) {
        return parts.stream().flatMap(part -> part);
    }
}
