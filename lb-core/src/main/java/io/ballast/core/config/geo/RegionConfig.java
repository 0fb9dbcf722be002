package io.ballast.core.config.geo;

import io.ballast.core.Checks;
import io.ballast.core.net.Cidr;
import java.util.List;
import java.util.Optional;

/**
 * A region of clients: its criteria, its location, and its fallbacks. A client belongs to the region with the
 * most specific criterion. From most to least specific, these are: a network (the longest prefix first), an
 * autonomous system, a city, a subdivision, a country, a continent.
 *
 * @param name the name used by services
 * @param continents two-letter codes: AF, AN, AS, EU, NA, OC, SA
 * @param countries ISO 3166-1 codes in capitals
 * @param subdivisions ISO 3166-2 codes in capitals, such as US-CA
 * @param cities identifiers of geonames.org, or names in English
 * @param asns numbers of autonomous systems
 * @param networks networks that belong to the region regardless of databases
 * @param coordinates location of its servers, which determines the nearest other region
 * @param fallback regions to try first if this region has no healthy backend
 */
public record RegionConfig(
        String name,
        List<String> continents,
        List<String> countries,
        List<String> subdivisions,
        List<String> cities,
        List<Long> asns,
        List<Cidr> networks,
        Optional<Coordinates> coordinates,
        List<String> fallback) {

    public RegionConfig {
        continents = List.copyOf(continents);
        countries = List.copyOf(countries);
        subdivisions = List.copyOf(subdivisions);
        cities = List.copyOf(cities);
        asns = List.copyOf(asns);
        networks = List.copyOf(networks);
        fallback = List.copyOf(fallback);
        Checks.that(!fallback.contains(name), "fallback", name, "regions other than itself");
    }

    /** Creates a region without criteria. */
    public static RegionConfig of(String name) {
        return new RegionConfig(
                name, List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), Optional.empty(), List.of());
    }

    /** Creates a region of countries and autonomous systems. */
    public static RegionConfig of(String name, List<String> countries, List<Long> asns) {
        return new RegionConfig(
                name, List.of(), countries, List.of(), List.of(), asns, List.of(), Optional.empty(), List.of());
    }

    /** Whether a criterion of the region needs a database. */
    public boolean needsDatabase() {
        return !(continents.isEmpty()
                && countries.isEmpty()
                && subdivisions.isEmpty()
                && cities.isEmpty()
                && asns.isEmpty());
    }
}
