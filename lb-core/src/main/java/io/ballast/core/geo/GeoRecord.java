package io.ballast.core.geo;

import com.maxmind.db.MaxMindDbConstructor;
import com.maxmind.db.MaxMindDbParameter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The record of a network in MaxMind's City, Country and ASN databases. All fields are optional; unused fields are not
 * decoded. Public because the library calls its constructors by reflection.
 */
public record GeoRecord(
        @Nullable Continent continent,
        @Nullable Country country,
        @Nullable Country registeredCountry,
        @Nullable List<Subdivision> subdivisions,
        @Nullable City city,
        @Nullable Long asn) {

    @MaxMindDbConstructor
    public GeoRecord(
            @MaxMindDbParameter(name = "continent") @Nullable Continent continent,
            @MaxMindDbParameter(name = "country") @Nullable Country country,
            @MaxMindDbParameter(name = "registered_country") @Nullable Country registeredCountry,
            @MaxMindDbParameter(name = "subdivisions") @Nullable List<Subdivision> subdivisions,
            @MaxMindDbParameter(name = "city") @Nullable City city,
            @MaxMindDbParameter(name = "autonomous_system_number") @Nullable Long asn) {
        this.continent = continent;
        this.country = country;
        this.registeredCountry = registeredCountry;
        this.subdivisions = subdivisions;
        this.city = city;
        this.asn = asn;
    }

    /** A continent, by its two-letter code. */
    public record Continent(@Nullable String code) {
        @MaxMindDbConstructor
        public Continent(@MaxMindDbParameter(name = "code") @Nullable String code) {
            this.code = code;
        }
    }

    /** A country, by its ISO 3166-1 code. */
    public record Country(@Nullable String isoCode) {
        @MaxMindDbConstructor
        public Country(@MaxMindDbParameter(name = "iso_code") @Nullable String isoCode) {
            this.isoCode = isoCode;
        }
    }

    /** A subdivision of a country, by the second half of its ISO 3166-2 code. */
    public record Subdivision(@Nullable String isoCode) {
        @MaxMindDbConstructor
        public Subdivision(@MaxMindDbParameter(name = "iso_code") @Nullable String isoCode) {
            this.isoCode = isoCode;
        }
    }

    /** A city, by its geonames.org identifier and its names by language. */
    public record City(@Nullable Long geonameId, @Nullable Map<String, String> names) {
        @MaxMindDbConstructor
        public City(
                @MaxMindDbParameter(name = "geoname_id") @Nullable Long geonameId,
                @MaxMindDbParameter(name = "names") @Nullable Map<String, String> names) {
            this.geonameId = geonameId;
            this.names = names;
        }
    }
}
