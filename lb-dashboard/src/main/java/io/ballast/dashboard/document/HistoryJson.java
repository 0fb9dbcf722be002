package io.ballast.dashboard.document;

import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.live.FloatRing;
import io.ballast.dashboard.live.History;
import java.util.Optional;

/**
 * Writes the initial history of the charts as arrays with one value per second, oldest first, null for a
 * missing value.
 */
final class HistoryJson {

    private HistoryJson() {}

    static void fields(JsonWriter json, History history) {
        ring(json, "rps", history.rps());
        ring(json, "errors_per_second", history.errorRate());
        ring(json, "p50_ms", history.p50());
        ring(json, "p99_ms", history.p99());
    }

    /** Writes the values of {@code ring} as the field {@code name}; writes an empty array if {@code ring} is absent. */
    static void ring(JsonWriter json, String name, Optional<FloatRing> ring) {
        json.array(name, () -> ring.ifPresent(present -> present.forEach(json::value)));
    }

    static void ring(JsonWriter json, String name, FloatRing ring) {
        json.array(name, () -> ring.forEach(json::value));
    }
}
