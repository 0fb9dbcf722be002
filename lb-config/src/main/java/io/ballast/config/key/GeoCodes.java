package io.ballast.config.key;

import io.ballast.core.Checks;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Codes of places, as used in IP geolocation databases. */
public final class GeoCodes {

    private static final String COUNTRY_EXPECTED = "an ISO 3166-1 country code in upper case, such as DE or NO";
    private static final String SUBDIVISION_EXPECTED = "an ISO 3166-2 code in upper case, such as US-CA";
    private static final Set<String> COUNTRIES = countries();

    /** A continent, by its two-letter code. */
    public static final Type<String> CONTINENT =
            Scalars.choice(sameWords(List.of("AF", "AN", "AS", "EU", "NA", "OC", "SA")), code -> code);

    /** A country. */
    public static final Type<String> COUNTRY = new ScalarType<>(
            "country code",
            COUNTRY_EXPECTED,
            text -> country(text, text, COUNTRY_EXPECTED),
            code -> code,
            JsonSchema.textOrVariable("[A-Z]{2}"));

    /** A subdivision of a country, such as a state or province. */
    public static final Type<String> SUBDIVISION = new ScalarType<>(
            "subdivision code",
            SUBDIVISION_EXPECTED,
            GeoCodes::subdivision,
            code -> code,
            JsonSchema.textOrVariable("[A-Z]{2}-[A-Z0-9]{1,3}"));

    private GeoCodes() {}

    private static String subdivision(String text) {
        Checks.that(text.matches("[A-Z]{2}-[A-Z0-9]{1,3}"), "subdivision", text, SUBDIVISION_EXPECTED);
        return country(text.substring(0, 2), text, SUBDIVISION_EXPECTED);
    }

    /** Checks the country code and returns {@code whole}, which begins with this code. */
    private static String country(String code, String whole, String expected) {
        Checks.that(!code.equals("UK"), "country", whole, expected + "; the United Kingdom is GB");
        Checks.that(COUNTRIES.contains(code), "country", whole, expected);
        return whole;
    }

    private static Set<String> countries() {
        Set<String> codes = new HashSet<>(Set.of(Locale.getISOCountries()));
        codes.add("XK"); // Kosovo; ISO 3166-1 reserves this code for private use
        return Set.copyOf(codes);
    }

    private static Map<String, String> sameWords(List<String> words) {
        Map<String, String> map = new LinkedHashMap<>();
        words.forEach(word -> map.put(word, word));
        return map;
    }
}
