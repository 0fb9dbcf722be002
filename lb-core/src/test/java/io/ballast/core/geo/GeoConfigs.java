package io.ballast.core.geo;

import io.ballast.core.config.geo.Coordinates;
import io.ballast.core.config.geo.GeoConfig;
import io.ballast.core.config.geo.RegionConfig;
import io.ballast.core.net.Cidr;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Creates geography configurations from a short notation. */
public final class GeoConfigs {

    private GeoConfigs() {}

    /** A configuration whose default is the last region. */
    public static GeoConfig of(List<Path> databases, RegionConfig... regions) {
        Map<String, RegionConfig> byName = new LinkedHashMap<>();
        for (RegionConfig region : regions) {
            byName.put(region.name(), region);
        }
        return new GeoConfig(databases, byName, regions[regions.length - 1].name());
    }

    /**
     * Returns a region with these criteria: continents as {@code *EU}, countries as {@code DE}, subdivisions as
     * {@code US-CA}, cities as {@code 'Munich'} or {@code '2867714'}, autonomous systems as {@code AS64496}, networks
     * in CIDR notation.
     */
    public static RegionConfig region(String name, String... members) {
        return new RegionConfig(
                name,
                matching("\\*[A-Z]{2}", members).map(code -> code.substring(1)).toList(),
                matching("[A-Z]{2}", members).toList(),
                matching("[A-Z]{2}-.+", members).toList(),
                matching("'.+'", members).map(city -> city.replace("'", "")).toList(),
                matching("AS[0-9]+", members)
                        .map(asn -> Long.valueOf(asn.substring(2)))
                        .toList(),
                matching("[^A-Z]+/[0-9]+", members).map(Cidr::parse).toList(),
                Optional.empty(),
                List.of());
    }

    /** Returns a region at these coordinates. */
    public static RegionConfig at(String name, double latitude, double longitude, String... fallback) {
        return new RegionConfig(
                name,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                Optional.of(new Coordinates(latitude, longitude)),
                List.of(fallback));
    }

    private static Stream<String> matching(String pattern, String... members) {
        return Stream.of(members).filter(member -> member.matches(pattern));
    }
}
