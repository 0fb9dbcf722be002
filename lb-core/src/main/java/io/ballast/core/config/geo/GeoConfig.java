package io.ballast.core.config.geo;

import io.ballast.core.Checks;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Geography: which region a client belongs to.
 *
 * @param databases files in the format of MaxMind; of two that say equally specific things, the first counts
 * @param regions the regions by name, in the order of the file; at least one
 * @param defaultRegion the name of the region of clients that nothing else places
 */
public record GeoConfig(List<Path> databases, Map<String, RegionConfig> regions, String defaultRegion) {

    /** Most regions; far more than anybody has. */
    public static final int MAX_REGIONS = 10_000;

    public GeoConfig {
        databases = List.copyOf(databases);
        regions = Collections.unmodifiableMap(new LinkedHashMap<>(regions));
        Checks.that(!regions.isEmpty(), "regions", "none", "at least one region");
        Checks.that(regions.size() <= MAX_REGIONS, "regions", regions.size(), "at most " + MAX_REGIONS + " regions");
    }
}
