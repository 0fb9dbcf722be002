package io.ballast.dns.testing;

import io.ballast.core.config.geo.GeoConfig;
import io.ballast.core.config.geo.RegionConfig;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.geo.GeoDatabaseException;
import io.ballast.core.geo.GeoSource;
import io.ballast.core.net.Cidr;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Regions by network for tests. */
public final class TestRegions {

    private final Map<String, RegionConfig> regions = new LinkedHashMap<>();

    /** Adds a region with one network and its fallback regions. */
    public TestRegions region(String name, String network, String... fallback) {
        regions.put(
                name,
                new RegionConfig(
                        name,
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(Cidr.parse(network)),
                        Optional.empty(),
                        List.of(fallback)));
        return this;
    }

    public GeoSource open(String defaultRegion, ControlPlane control) {
        try {
            return GeoSource.open(new GeoConfig(List.of(), regions, defaultRegion), control, Runnable::run);
        } catch (GeoDatabaseException e) {
            throw new IllegalStateException(e);
        }
    }
}
