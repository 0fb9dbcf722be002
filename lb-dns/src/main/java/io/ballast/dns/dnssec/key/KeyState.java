package io.ballast.dns.dnssec.key;

import java.util.Locale;

/** The state of a key at one moment. */
public enum KeyState {
    /** The key is not published yet. */
    FUTURE,
    /** The key is in the DNSKEY set, so that resolvers can cache it, but it does not sign yet. */
    PUBLISHED,
    /** The key is in the DNSKEY set and signs. */
    ACTIVE,
    /**
     * The key no longer signs, but is still in the DNSKEY set, because caches may hold signatures made with it.
     */
    RETIRED,
    /** The key is no longer used; only its file remains. */
    REMOVED;

    /** The state's name for display. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns whether the key has DNSKEY, CDS and CDNSKEY records in the zone. */
    public boolean isVisible() {
        return this == PUBLISHED || this == ACTIVE || this == RETIRED;
    }
}
