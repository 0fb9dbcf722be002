package io.ballast.core.geo;

import io.ballast.core.config.geo.RegionConfig;
import io.ballast.core.geo.GeoRecord.City;
import io.ballast.core.geo.GeoRecord.Continent;
import io.ballast.core.geo.GeoRecord.Country;
import io.ballast.core.geo.GeoRecord.Subdivision;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Maps places in a database to regions. Immutable. */
final class LocationRules {

    private final Map<RegionRule, Map<String, Integer>> regions = new EnumMap<>(RegionRule.class);

    /** Indexes the criteria of the regions; the ID of a region is its position in the list. */
    LocationRules(List<RegionConfig> declared) {
        for (RegionRule rule : RegionRule.values()) {
            regions.put(rule, new HashMap<>());
        }
        for (int id = 0; id < declared.size(); id++) {
            RegionConfig region = declared.get(id);
            add(RegionRule.CONTINENT, region.continents(), id);
            add(RegionRule.COUNTRY, region.countries(), id);
            add(RegionRule.SUBDIVISION, region.subdivisions(), id);
            add(RegionRule.CITY, region.cities(), id);
            add(RegionRule.ASN, region.asns(), id);
        }
    }

    /** A place that a database record names, the region of the place, and the rule that assigns the region. */
    record Match(RegionRule rule, String place, int region) {

        int claim() {
            return RegionClaim.of(rule, region);
        }
    }

    /** Returns the {@link RegionClaim} of {@link #match}. */
    int claim(GeoRecord record) {
        Match match = match(record);
        return match == null ? RangeList.NOTHING : match.claim();
    }

    /** Returns the most specific place of a record that belongs to a region; null if none does. */
    @Nullable Match match(GeoRecord record) {
        Match match = match(RegionRule.ASN, record.asn());
        if (match == null) {
            match = city(record.city());
        }
        String country = country(record);
        if (match == null) {
            match = subdivision(country, record.subdivisions());
        }
        if (match == null) {
            match = match(RegionRule.COUNTRY, country);
        }
        Continent continent = record.continent();
        return match == null && continent != null ? match(RegionRule.CONTINENT, continent.code()) : match;
    }

    /** Returns the country in which the network is used; if this is unknown, the country of registration. */
    private static @Nullable String country(GeoRecord record) {
        Country country = record.country();
        Country registered = record.registeredCountry();
        if (country != null && country.isoCode() != null) {
            return country.isoCode();
        }
        return registered == null ? null : registered.isoCode();
    }

    private @Nullable Match city(@Nullable City city) {
        if (city == null) {
            return null;
        }
        Match match = match(RegionRule.CITY, city.geonameId());
        Map<String, String> names = city.names();
        return match == null && names != null ? match(RegionRule.CITY, names.get("en")) : match;
    }

    /**
     * Returns the match of the most specific subdivision. The list is sorted from the largest to the smallest
     * subdivision; the smallest is the most specific.
     */
    private @Nullable Match subdivision(@Nullable String country, @Nullable List<Subdivision> subdivisions) {
        Match match = null;
        if (country != null && subdivisions != null) {
            for (int i = subdivisions.size() - 1; i >= 0 && match == null; i--) {
                match = match(
                        RegionRule.SUBDIVISION,
                        country + "-" + subdivisions.get(i).isoCode());
            }
        }
        return match;
    }

    private @Nullable Match match(RegionRule rule, @Nullable Object place) {
        Map<String, Integer> byPlace = regions.getOrDefault(rule, Map.of());
        if (byPlace.isEmpty() || place == null) {
            return null;
        }
        Integer region = byPlace.get(place.toString());
        return region == null ? null : new Match(rule, place.toString(), region);
    }

    private void add(RegionRule rule, List<?> places, int region) {
        Map<String, Integer> byPlace = regions.getOrDefault(rule, Map.of());
        places.forEach(place -> byPlace.putIfAbsent(place.toString(), region));
    }
}
