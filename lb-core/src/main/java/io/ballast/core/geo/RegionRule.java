package io.ballast.core.geo;

import java.util.Locale;

/**
 * The rule that decided the region of an address, ordered from least to most specific; the most specific
 * wins.
 */
public enum RegionRule {
    /** The address is unknown, or its location belongs to no region. */
    DEFAULT,
    CONTINENT,
    COUNTRY,
    SUBDIVISION,
    CITY,
    /** The autonomous system that announces the address. */
    ASN,
    /** A network that the configuration assigns to a region. */
    NETWORK;

    /** Returns the rule's name in lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
