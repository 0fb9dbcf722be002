package io.ballast.dns.config.zone;

import io.ballast.core.Checks;
import java.time.Duration;

/**
 * The DNSSEC settings of a zone.
 *
 * @param algorithm the algorithm of the keys
 * @param denial how the non-existence of a name or a type is proven
 * @param validity how long a signature is valid; at least {@link #MIN_TTLS_PER_VALIDITY} times {@code
 *     maxTtl}, so that no cache keeps a record longer than its signature
 * @param keyTtl TTL of the DNSKEY, CDS and CDNSKEY records
 * @param parentDsTtl TTL of the DS records in the parent zone; a new key signs only after the old DS has
 *     expired from all caches
 * @param maxTtl the highest TTL of the zone's records; an old key stays in the zone until all records that it
 *     signed have expired from all caches
 */
public record DnssecConfig(
        Algorithm algorithm, Denial denial, Duration validity, Duration keyTtl, Duration parentDsTtl, Duration maxTtl) {

    /**
     * Minimum ratio of the validity to the highest TTL. Signatures are renewed when only a quarter of their
     * validity is left.
     */
    public static final int MIN_TTLS_PER_VALIDITY = 4;

    public static final Duration DEFAULT_VALIDITY = Duration.ofDays(7);
    public static final Duration DEFAULT_KEY_TTL = Duration.ofHours(1);
    public static final Duration DEFAULT_PARENT_DS_TTL = Duration.ofDays(1);
    public static final Duration DEFAULT_MAX_TTL = Duration.ofDays(1);

    private static final Duration MIN_VALIDITY = Duration.ofMinutes(1);

    /**
     * The maximum validity, one year. A longer validity would be a mistake, and the 32-bit times of the signature
     * format must stay comparable.
     */
    private static final Duration MAX_VALIDITY = Duration.ofDays(366);

    /** The settings for {@code dnssec: true}. */
    public static final DnssecConfig DEFAULT = new DnssecConfig(
            Algorithm.ECDSAP256SHA256,
            Denial.NSEC,
            DEFAULT_VALIDITY,
            DEFAULT_KEY_TTL,
            DEFAULT_PARENT_DS_TTL,
            DEFAULT_MAX_TTL);

    public DnssecConfig {
        Checks.that(
                validity.compareTo(MIN_VALIDITY) >= 0 && validity.compareTo(MAX_VALIDITY) <= 0,
                "validity",
                validity,
                "1m to 366d");
        Duration longestTtl = validity.dividedBy(MIN_TTLS_PER_VALIDITY);
        Checks.positive(keyTtl, "key_ttl");
        Checks.positive(parentDsTtl, "parent_ds_ttl");
        Checks.positive(maxTtl, "max_ttl");
        Checks.that(keyTtl.compareTo(longestTtl) <= 0, "key_ttl", keyTtl, "at most a quarter of validity");
        Checks.that(maxTtl.compareTo(longestTtl) <= 0, "max_ttl", maxTtl, "at most a quarter of validity");
    }

    /** The algorithm of keys and signatures, by its name in the IANA registry. */
    public enum Algorithm {
        ECDSAP256SHA256("ecdsap256sha256"),
        ED25519("ed25519");

        private final String label;

        Algorithm(String label) {
            this.label = label;
        }

        /** Returns the name in configuration files. */
        public String label() {
            return label;
        }
    }

    /** The kind of proof that a name or a type does not exist. */
    public enum Denial {
        /**
         * Compact denial (RFC 9824): a response has one NSEC record, and is NODATA for a name that does not exist.
         */
        NSEC("nsec"),
        /**
         * NSEC3 (RFC 5155) without extra iterations and salt (RFC 9276). Each NSEC3 record is generated to cover only
         * one hashed name.
         */
        NSEC3("nsec3");

        private final String label;

        Denial(String label) {
            this.label = label;
        }

        /** Returns the name in configuration files. */
        public String label() {
            return label;
        }
    }
}
