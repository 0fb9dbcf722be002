package io.ballast.core.config.geo;

import io.ballast.core.Checks;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The geography configuration, which assigns clients to regions.
 *
 * @param databases files in the MaxMind format; if the matches of two files are equally specific, the first
 *     file is used
 * @param regions the regions by name, in the order of the file; at least one
 * @param defaultRegion the name of the region of clients that match no other region
 */
public record GeoConfig(List<Path> databases, Map<String, RegionConfig> regions, String defaultRegion) {

    /** Maximum number of regions; far more than any configuration needs. */
    public static final int MAX_REGIONS = 10_000;

    public GeoConfig {
        databases = List.copyOf(databases);
        regions = Collections.unmodifiableMap(new LinkedHashMap<>(regions));
        Checks.that(!regions.isEmpty(), "regions", "none", "at least one region");
        Checks.that(regions.size() <= MAX_REGIONS, "regions", regions.size(), "at most " + MAX_REGIONS + " regions");
    }
}
