package io.ballast.core.geo;

import java.util.Locale;

/** What decided the region of an address, from the least specific to the most specific, which wins. */
public enum PlaceRule {
    /** Nothing is known about the address, or nothing that belongs to a region. */
    DEFAULT,
    CONTINENT,
    COUNTRY,
    SUBDIVISION,
    CITY,
    /** The autonomous system that announces the address. */
    ASN,
    /** A network of the configuration. */
    NETWORK;

    /** The rule as a word in lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
