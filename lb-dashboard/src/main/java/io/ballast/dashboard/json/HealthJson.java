package io.ballast.dashboard.json;

import io.ballast.core.backend.HealthStatus;
import java.time.Duration;

/** A backend's health: the fields {@code state, since, reason, origin, last_check}. */
final class HealthJson {

    private static final double NANOS_PER_MILLI = 1e6;

    private HealthJson() {}

    /** Writes the fields into the object that is open. */
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
            json.field("took_ms", millis(check.took()));
            json.field("text", check.text());
        });
    }

    private static double millis(Duration duration) {
        return duration.toNanos() / NANOS_PER_MILLI;
    }
}
