package io.ballast.core.geo;

import io.ballast.core.Checks;
import io.ballast.core.config.geo.Coordinates;
import io.ballast.core.config.geo.GeoConfig;
import io.ballast.core.config.geo.RegionConfig;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The regions of a configuration: their names, ids and fallbacks.
 *
 * <p>An id is the region's position in the configuration, starting with 0: equal configurations have equal ids,
 * regardless of databases. Immutable.
 */
public final class Regions {

    private final List<String> names;
    private final int defaultRegion;
    private final List<int[]> orders;

    private Regions(List<RegionConfig> regions, String defaultRegion) {
        this.names = regions.stream().map(RegionConfig::name).toList();
        this.defaultRegion = names.indexOf(defaultRegion);
        Checks.that(this.defaultRegion >= 0, "default_region", defaultRegion, "a configured region");
        this.orders = regions.stream().map(region -> order(region, regions)).toList();
    }

    /**
     * Returns the regions of a configuration.
     *
     * @throws IllegalArgumentException if the configuration refers to a region that it does not define
     */
    public static Regions of(GeoConfig config) {
        return new Regions(List.copyOf(config.regions().values()), config.defaultRegion());
    }

    /** Returns the number of regions; IDs are 0 up to, but not including, this number. */
    public int count() {
        return names.size();
    }

    /** Returns the names of the regions. The index of a name is the id of its region. */
    public List<String> names() {
        return names;
    }

    public String name(int id) {
        return names.get(id);
    }

    /** Returns the id of the region with this name, if there is one. Cost: O(n). */
    public OptionalInt id(String name) {
        int id = names.indexOf(name);
        return id < 0 ? OptionalInt.empty() : OptionalInt.of(id);
    }

    /** Returns the id of the region of clients to which no other rule applies. */
    public int defaultRegion() {
        return defaultRegion;
    }

    /**
     * Returns all regions in the order in which they are tried for a client of the given region. The region
     * itself is first, followed by its declared fallbacks. If the region has coordinates, the other regions with
     * coordinates follow by distance. All remaining regions follow in the order of the configuration. The array
     * is a copy.
     */
    public int[] order(int id) {
        return orders.get(id).clone();
    }

    private int[] order(RegionConfig region, List<RegionConfig> all) {
        Set<String> order = new LinkedHashSet<>();
        order.add(region.name());
        order.addAll(region.fallback());
        region.coordinates().ifPresent(here -> order.addAll(byDistance(here, all)));
        order.addAll(names);
        for (String name : order) {
            Checks.that(names.contains(name), "fallback", name, "a configured region");
        }
        return order.stream().mapToInt(names::indexOf).toArray();
    }

    /**
     * Returns the regions that have coordinates, nearest first; equally near regions are in the order of the
     * configuration.
     */
    private static List<String> byDistance(Coordinates here, List<RegionConfig> all) {
        List<RegionConfig> placed = new ArrayList<>(all);
        placed.removeIf(region -> region.coordinates().isEmpty());
        placed.sort(Comparator.comparingDouble(
                region -> region.coordinates().map(here::angleTo).orElse(0.0)));
        return placed.stream().map(RegionConfig::name).toList();
    }
}
