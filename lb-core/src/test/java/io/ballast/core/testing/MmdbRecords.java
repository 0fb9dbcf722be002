package io.ballast.core.testing;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Records in the layouts of MaxMind's commercial databases. */
public final class MmdbRecords {

    private MmdbRecords() {}

    /** Returns a record of a country database, with codes in MaxMind's spelling. */
    public static Map<String, Object> country(String country, String continent) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("continent", Map.of("code", continent, "names", Map.of("en", "continent " + continent)));
        fields.put("country", Map.of("iso_code", country, "names", Map.of("en", "country " + country)));
        fields.put("registered_country", Map.of("iso_code", country));
        return fields;
    }

    /** A record of a city database: a country, the city, and the subdivisions from the largest to the smallest. */
    public static Map<String, Object> city(
            String country, String continent, int geonameId, String name, String... subdivisions) {
        Map<String, Object> fields = country(country, continent);
        fields.put("city", Map.of("geoname_id", geonameId, "names", Map.of("en", name)));
        fields.put("location", Map.of("latitude", 48.1, "longitude", 11.6, "accuracy_radius", (short) 20));
        List<Map<String, Object>> list = Arrays.stream(subdivisions)
                .map(code -> Map.<String, Object>of("iso_code", code, "names", Map.of("en", code)))
                .toList();
        fields.put("subdivisions", list);
        return fields;
    }

    /** Returns a record that contains only the registered country. */
    public static Map<String, Object> registered(String country) {
        return Map.of("registered_country", Map.of("iso_code", country));
    }

    /** A record of a database of autonomous systems. */
    public static Map<String, Object> asn(long number) {
        return Map.of("autonomous_system_number", (int) number, "autonomous_system_organization", "AS " + number);
    }
}
