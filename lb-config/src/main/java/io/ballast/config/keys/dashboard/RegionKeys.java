package io.ballast.config.keys.dashboard;

import io.ballast.config.key.GeoCodes;
import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Networks;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.UniqueType;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.NameReference;
import io.ballast.core.Checks;
import io.ballast.core.config.geo.Coordinates;
import io.ballast.core.config.geo.RegionConfig;
import io.ballast.core.net.Cidr;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The keys of {@code geo.regions.NAME}. Each network or place belongs to at most one region. */
final class RegionKeys {

    private static final long MAX_ASN = 0xFFFF_FFFFL;

    private static final ShapeBuilder<RegionConfig> KEYS = Shape.named(
            "region",
            "A region of clients. The most specific match decides: network, autonomous system, city,"
                    + " subdivision, country, continent.");

    private static final Key<List<String>> CONTINENTS =
            members("continents", GeoCodes.CONTINENT, "continent", "whole continents", RegionConfig::continents);
    private static final Key<List<String>> COUNTRIES =
            members("countries", GeoCodes.COUNTRY, "country", "countries, by ISO 3166-1", RegionConfig::countries);
    private static final Key<List<String>> SUBDIVISIONS = members(
            "subdivisions",
            GeoCodes.SUBDIVISION,
            "subdivision",
            "subdivisions of countries as ISO 3166-2 codes, such as US-CA",
            RegionConfig::subdivisions);
    private static final Key<List<String>> CITIES = members(
            "cities",
            Scalars.TEXT,
            "city",
            "cities, by geonames.org identifier, or by English name in any country",
            RegionConfig::cities);
    private static final Key<List<Long>> ASNS =
            members("asns", Scalars.whole(1, MAX_ASN), "ASN", "numbers of autonomous systems", RegionConfig::asns);
    private static final Key<List<Cidr>> CIDRS = members(
            "cidrs",
            Networks.NETWORK,
            "network",
            "networks, which take precedence over the database; the longest prefix is used",
            RegionConfig::networks);
    private static final Key<Double> LATITUDE = KEYS.optional(
            "latitude",
            Scalars.decimal(-90, 90),
            "latitude of the region's servers, in degrees north",
            region -> region.coordinates().map(Coordinates::latitude));
    private static final Key<Double> LONGITUDE = KEYS.optional(
            "longitude",
            Scalars.decimal(-180, 180),
            "longitude of the region's servers, in degrees east",
            region -> region.coordinates().map(Coordinates::longitude));
    private static final Key<List<String>> FALLBACK = KEYS.optional(
            "fallback",
            ListType.atLeastOne(NameReference.REGION).unique("region", name -> name),
            "regions to try first when it has no healthy backend; then those with coordinates by distance, if"
                    + " it has coordinates itself, and then the others in the order of the file",
            region -> nonEmpty(region.fallback()));

    static final Type<RegionConfig> REGION = KEYS.build(RegionKeys::build);

    private RegionKeys() {}

    private static <T> Key<List<T>> members(
            String key, Type<T> type, String kind, String about, Function<RegionConfig, List<T>> getter) {
        return KEYS.optional(
                key,
                ListType.atLeastOne(new UniqueType<>(type, kind)),
                about,
                region -> nonEmpty(getter.apply(region)));
    }

    private static RegionConfig build(Values values) {
        return new RegionConfig(
                values.name(),
                values.find(CONTINENTS).orElse(List.of()),
                values.find(COUNTRIES).orElse(List.of()),
                values.find(SUBDIVISIONS).orElse(List.of()),
                values.find(CITIES).orElse(List.of()),
                values.find(ASNS).orElse(List.of()),
                values.find(CIDRS).orElse(List.of()),
                coordinates(values),
                values.find(FALLBACK).orElse(List.of()));
    }

    private static Optional<Coordinates> coordinates(Values values) {
        Optional<Double> latitude = values.find(LATITUDE);
        Optional<Double> longitude = values.find(LONGITUDE);
        latitude.ifPresent(alone -> Checks.that(
                longitude.isPresent() || values.isInvalid(LONGITUDE), "latitude", alone, "a longitude as well"));
        longitude.ifPresent(alone -> Checks.that(
                latitude.isPresent() || values.isInvalid(LATITUDE), "longitude", alone, "a latitude as well"));
        return latitude.flatMap(north -> longitude.map(east -> new Coordinates(north, east)));
    }

    private static <T> Optional<List<T>> nonEmpty(List<T> values) {
        return Optional.of(values).filter(list -> !list.isEmpty());
    }
}
