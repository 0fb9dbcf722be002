package io.ballast.dns.wire;

/**
 * Extended errors (<a href="https://datatracker.ietf.org/doc/html/rfc8914">RFC 8914</a>). Sent to clients with EDNS
 * in addition to the response code.
 */
public enum EdnsError {
    /** An error without a more specific code. */
    OTHER(0),
    /** The data was correct some time ago, and no newer data is known. */
    STALE_ANSWER(3),
    /** The answer was synthesized by the server, for example by a filter. */
    FORGED(4),
    /** The signature is missing or invalid, or there is no proof that the data need not be signed. */
    DNSSEC_BOGUS(6),
    /** All signatures have expired. */
    SIGNATURE_EXPIRED(7),
    /** No signature is valid yet. */
    SIGNATURE_NOT_YET_VALID(8),
    /** No DNSKEY record matches a DS record of the parent zone. */
    DNSKEY_MISSING(9),
    /** Required signatures are missing. */
    RRSIGS_MISSING(10),
    /** No DNSKEY record has the Zone Key flag. */
    NO_ZONE_KEY(11),
    /** The denial of existence has no NSEC records. */
    NSEC_MISSING(12),
    /** The answer is a cached failure; the query is not retried yet. */
    CACHED_ERROR(13),
    /** The server is not ready to answer. */
    NOT_READY(14),
    /** The name is on a block list. */
    BLOCKED(15),
    /** The client is not allowed to send this query. */
    PROHIBITED(18),
    /** Like {@link #STALE_ANSWER}, for a name that did not exist. */
    STALE_NXDOMAIN(19),
    /** The name lies outside the server's zones. */
    NOT_AUTHORITATIVE(20),
    /** The server does not support the request. */
    NOT_SUPPORTED(21),
    /** None of the queried servers has answered. */
    NO_REACHABLE_AUTHORITY(22),
    /** The server is configured for the zone, but has no data for it. */
    INVALID_DATA(24),
    /** Questions of this type are never answered. */
    INVALID_QUERY_TYPE(30);

    private final int code;

    EdnsError(int code) {
        this.code = code;
    }

    /** The INFO-CODE of the error in the IANA registry of extended DNS errors (RFC 8914). */
    public int code() {
        return code;
    }

    /** Returns the error with a code that validation can produce; {@link #DNSSEC_BOGUS} for all other codes. */
    public static EdnsError ofDnssec(int code) {
        return switch (code) {
            case 7 -> SIGNATURE_EXPIRED;
            case 8 -> SIGNATURE_NOT_YET_VALID;
            case 9 -> DNSKEY_MISSING;
            case 10 -> RRSIGS_MISSING;
            case 11 -> NO_ZONE_KEY;
            case 12 -> NSEC_MISSING;
            default -> DNSSEC_BOGUS;
        };
    }
}
