package io.ballast.policy.config.address;

import io.ballast.core.config.geo.GeoConfig;
import io.ballast.core.config.geo.RegionConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The countries and autonomous systems of one list of addresses. A client is in the set if it is in one of these
 * countries or autonomous systems. Immutable. The order is significant for equality.
 *
 * @param countries ISO 3166-1 codes in capitals
 * @param asns numbers of autonomous systems
 */
public record LocationSet(List<String> countries, List<Long> asns) {

    private static final String LISTED = "listed";
    private static final String OTHER = "other";

    public LocationSet {
        countries = List.copyOf(countries);
        asns = List.copyOf(asns);
    }

    /** Returns the union of the locations among the entries. */
    public static LocationSet of(Collection<AddressEntry> entries) {
        SortedSet<String> countries = new TreeSet<>();
        SortedSet<Long> asns = new TreeSet<>();
        for (AddressEntry entry : entries) {
            if (entry instanceof AddressEntry.Location location) {
                countries.addAll(location.countries());
                asns.addAll(location.asns());
            }
        }
        return new LocationSet(new ArrayList<>(countries), new ArrayList<>(asns));
    }

    public boolean isEmpty() {
        return countries.isEmpty() && asns.isEmpty();
    }

    /** Returns a geography whose region 0 contains the addresses of this set; region 1 contains all other addresses. */
    public GeoConfig geography(List<Path> databases) {
        Map<String, RegionConfig> regions = new LinkedHashMap<>();
        regions.put(LISTED, RegionConfig.of(LISTED, countries, asns));
        regions.put(OTHER, RegionConfig.of(OTHER));
        return new GeoConfig(databases, regions, OTHER);
    }
}
