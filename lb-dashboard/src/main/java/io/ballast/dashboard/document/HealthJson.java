package io.ballast.dashboard.document;

import io.ballast.core.backend.Downtime;
import io.ballast.core.backend.HealthStatus;
import io.ballast.dashboard.json.JsonWriter;
import java.time.Duration;
import java.time.Instant;

/** Writes the health of a backend: the fields {@code state, since, reason, origin, last_check}. */
final class HealthJson {

    private static final double NANOS_PER_MILLI = 1e6;
    private static final double MILLIS_PER_SECOND = 1e3;

    private HealthJson() {}

    /** Writes the health state of a backend as fields of the open JSON object. */
    static void fields(JsonWriter json, HealthStatus health) {
        json.field("state", health.state().label());
        json.field("is_host_alive", health.state().isUsable());
        json.field("since", health.since().toString());
        json.field("reason", health.reason());
        json.field("origin", health.origin().label());
        HealthStatus.LastCheck check = health.lastCheck();
        if (check.text().isEmpty()) {
            json.nullField("last_check");
            return;
        }
        json.object("last_check", () -> {
            json.field("ok", check.ok());
            json.field("took_ms", millis(check.duration()));
            json.field("text", check.text());
        });
    }

    /** Writes how often the backend was down, and for how long until {@code now}, into the open object. */
    static void downtime(JsonWriter json, Downtime downtime, Instant now) {
        json.field("times_down", downtime.outages());
        json.field("downtime_seconds", downtime.total(now).toMillis() / MILLIS_PER_SECOND);
    }

    /** Appends a check to the open array: its duration and, if {@code result} is set, its result and its text. */
    static void check(JsonWriter json, HealthStatus.LastCheck check, boolean result) {
        json.value(millis(check.duration()));
        if (result) {
            json.value(check.ok());
            json.value(check.text());
        }
    }

    private static double millis(Duration duration) {
        return duration.toNanos() / NANOS_PER_MILLI;
    }
}
