package io.ballast.dashboard.document;

import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.process.ProcessReading;

/** Writes the field {@code process}: the resource use of this process. */
final class ProcessJson {

    private ProcessJson() {}

    static void field(JsonWriter json, ProcessReading reading, String version) {
        json.object("process", () -> {
            json.field("version", version);
            json.field("uptime_seconds", reading.uptimeSeconds());
            json.field("cpu_seconds", reading.cpuSeconds());
            json.field("rss_bytes", reading.rssBytes());
            json.field("heap_bytes", reading.heapBytes());
            json.field("direct_bytes", reading.directBytes());
            json.field("threads", reading.threads());
        });
    }
}
