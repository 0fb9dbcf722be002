package io.ballast.dashboard.document;

import io.ballast.core.config.PoolConfig;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.PoolCounter;
import io.ballast.core.pool.PoolStatistics;
import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.live.PoolSeries;
import io.ballast.dashboard.live.Totals;

/** Writes a pool: its strategy, its state and the totals of its backends. */
final class PoolJson {

    private PoolJson() {}

    /**
     * Writes the pool with its totals, without its backends.
     *
     * @param attempts sum of the backends' totals in the same document
     */
    static void write(JsonWriter json, PoolSeries pool, Totals attempts) {
        json.object(() -> fields(json, pool, attempts));
    }

    /** Like {@link #write}, but writes the fields into the JSON object that is already open. */
    static void fields(JsonWriter json, PoolSeries pool, Totals attempts) {
        description(json, pool);
        counters(json, pool.pool());
        GroupJson.requests(json, pool.requests());
        GroupJson.fields(json, attempts, pool.attempts());
    }

    /** Writes the field {@code queue} and the pool's other counters. */
    private static void counters(JsonWriter json, Pool pool) {
        json.object("queue", () -> {
            queueLengths(json, pool);
            json.field(PoolCounter.QUEUED.label(), pool.counters().sum(PoolCounter.QUEUED));
            PoolStatistics.QUEUE_FAILURES.forEach(
                    counter -> json.field(counter.label(), pool.counters().sum(counter)));
        });
        StatisticJson.fields(json, PoolStatistics.ALL, pool);
    }

    /**
     * Writes three queue lengths into the open object: the current one, the highest one so far, and the
     * configured maximum.
     */
    static void queueLengths(JsonWriter json, Pool pool) {
        json.field("waiting", pool.waitingRequests());
        json.field("max_waiting", pool.maxWaitingRequests());
        json.field("size", pool.config().queue().size());
    }

    /**
     * Writes the fields that describe a pool, such as its name, strategy, check and state, into the open
     * object.
     */
    static void description(JsonWriter json, PoolSeries pool) {
        PoolConfig config = pool.pool().config();
        json.field("name", config.name());
        json.field("strategy", config.strategy().kind().label());
        json.field("check", config.health().check().label());
        json.field("backend_count", pool.backends().size());
        json.field("healthy_count", pool.healthy());
        json.field("usable_count", pool.usable());
        json.field("panic", pool.pool().snapshot().isPanic());
        OverrideJson.maintenanceField(json, pool.pool().maintenance());
    }
}
