package io.ballast.dns.dnssec.key;

import java.util.Locale;

/** What a key is used for at one moment. */
public enum KeyState {
    /** It is not published yet. */
    FUTURE,
    /** In the key set, so that caches learn of it; signs nothing. */
    PUBLISHED,
    /** In the key set and signs. */
    ACTIVE,
    /** In the key set for what it has signed; signs nothing more. */
    RETIRED,
    /** Out of use; only its file is left. */
    REMOVED;

    /** The word for people. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether the DNSKEY, CDS and CDNSKEY records have it. */
    public boolean isVisible() {
        return this == PUBLISHED || this == ACTIVE || this == RETIRED;
    }
}
