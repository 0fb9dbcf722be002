package io.ballast.dashboard.document;

import io.ballast.dashboard.json.JsonWriter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the zones of the authoritative DNS server, derived from the expanded configuration. */
public final class ZonesJson {

    private ZonesJson() {}

    /**
     * @param config the expanded configuration; without DNS, it contains no zones
     * @param queries query counts of each zone by outcome; empty for zones without counters of their own
     */
    public static void write(JsonWriter json, Map<String, Object> config, Map<String, Map<String, Long>> queries) {
        List<?> zones = config.get("dns") instanceof Map<?, ?> dns ? list(dns.get("zones")) : List.of();
        json.object(() -> json.array(
                "zones",
                () -> zones.forEach(zone -> {
                    if (zone instanceof Map<?, ?> keys) {
                        zone(json, keys, queries.getOrDefault(String.valueOf(keys.get("name")), Map.of()));
                    }
                })));
    }

    private static void zone(JsonWriter json, Map<?, ?> zone, Map<String, Long> queries) {
        json.object(() -> {
            json.field("name", String.valueOf(zone.get("name")));
            json.field("services", list(zone.get("services")).size());
            json.field("signed", zone.get("dnssec") instanceof Map || Boolean.TRUE.equals(zone.get("dnssec")));
            json.object("queries", () -> queries.forEach(json::field));
            if (zone.get("file") == null) {
                json.nullField("file");
            } else {
                json.field("file", String.valueOf(zone.get("file")));
            }
        });
    }

    private static List<?> list(@Nullable Object value) {
        return value instanceof List<?> list ? list : List.of();
    }
}
