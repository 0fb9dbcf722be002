package io.ballast.dashboard.json;

import io.ballast.core.control.Event;
import io.ballast.dashboard.Readiness;
import io.ballast.dashboard.live.BackendSeries;
import io.ballast.dashboard.live.LiveStats;
import io.ballast.dashboard.live.PoolSeries;
import io.ballast.dashboard.process.ProcessReading;
import io.netty.buffer.ByteBuf;
import java.time.Instant;
import java.util.List;

/** The documents of the API. Each method returns a buffer that the caller owns. */
public final class StatsJson {

    private StatsJson() {}

    /** Everything: {@code GET /stats}. */
    public static ByteBuf stats(LiveStats live, ProcessReading process, String version, Instant now) {
        return JsonWriter.write(json -> json.object(() -> {
            json.field("time", now.toString());
            json.array(
                    "backends",
                    () -> live.pools().forEach(pool -> pool.backends().forEach(b -> BackendJson.write(json, b))));
            json.array("pools", () -> live.pools().forEach(pool -> PoolJson.write(json, pool)));
            json.object("total", () -> GroupJson.fields(json, live.overall()));
            FrontendJson.fields(json, live.frontends());
            ProcessJson.field(json, process, version);
        }));
    }

    /** {@code GET /api/v1/pools}. */
    public static ByteBuf pools(LiveStats live) {
        return JsonWriter.write(json -> json.object(() ->
                json.array("pools", () -> live.pools().forEach(pool -> PoolJson.writeWithBackends(json, pool)))));
    }

    /** {@code GET /api/v1/pools/{pool}}. */
    public static ByteBuf pool(PoolSeries pool) {
        return JsonWriter.write(json -> PoolJson.writeWithBackends(json, pool));
    }

    /** {@code GET /api/v1/pools/{pool}/backends/{backend}}. */
    public static ByteBuf backend(BackendSeries backend) {
        return JsonWriter.write(json -> BackendJson.write(json, backend));
    }

    /** {@code GET /api/v1/events}. */
    public static ByteBuf events(List<Event> events) {
        return JsonWriter.write(json -> json.object(() -> EventJson.field(json, events)));
    }

    /** {@code GET /api/v1/health}. */
    public static ByteBuf health(LiveStats live, Readiness readiness) {
        return JsonWriter.write(json -> json.object(() -> {
            json.field("ready", readiness.ready());
            json.field("reason", readiness.reason());
            json.array(
                    "pools",
                    () -> live.pools()
                            .forEach(pool -> json.object(() -> {
                                json.field("name", pool.pool().name());
                                json.field("backend_count", pool.backends().size());
                                json.field("usable_count", pool.usable());
                            })));
        }));
    }
}
