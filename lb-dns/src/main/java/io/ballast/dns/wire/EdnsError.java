package io.ballast.dns.wire;

/**
 * Extended errors (<a href="https://datatracker.ietf.org/doc/html/rfc8914">RFC 8914</a>). Sent to clients with EDNS
 * in addition to the response code.
 */
public enum EdnsError {
    /** Another reason, described by the text. */
    OTHER(0),
    /** The data was right some time ago, and nothing newer is known. */
    STALE_ANSWER(3),
    /** The answer was synthesized by the server, for example by a filter. */
    FORGED(4),
    /** No signature, or none that is right, or no proof that there need be none. */
    DNSSEC_BOGUS(6),
    /** All signatures have expired. */
    SIGNATURE_EXPIRED(7),
    /** No signature is valid yet. */
    SIGNATURE_NOT_YET_VALID(8),
    /** There is no key for what the zone above has a digest of. */
    DNSKEY_MISSING(9),
    /** There should be signatures and are none. */
    RRSIGS_MISSING(10),
    /** No key is a zone key. */
    NO_ZONE_KEY(11),
    /** A denial of existence without NSEC records. */
    NSEC_MISSING(12),
    /** A failure that was met some time ago, and is not looked for again yet. */
    CACHED_ERROR(13),
    /** The server is not ready to answer. */
    NOT_READY(14),
    /** The name is on a block list. */
    BLOCKED(15),
    /** The client is not allowed to send this query. */
    PROHIBITED(18),
    /** Like {@link #STALE_ANSWER}, of a name that did not exist. */
    STALE_NXDOMAIN(19),
    /** The name lies outside the server's zones. */
    NOT_AUTHORITATIVE(20),
    /** The server does not do such things. */
    NOT_SUPPORTED(21),
    /** None of the queried servers has answered. */
    NO_REACHABLE_AUTHORITY(22),
    /** There is nothing to answer from in a zone that the server is configured for. */
    INVALID_DATA(24),
    /** Questions of this type are never answered. */
    INVALID_QUERY_TYPE(30);

    private final int code;

    EdnsError(int code) {
        this.code = code;
    }

    /** Its number in the registry. */
    public int code() {
        return code;
    }

    /** Returns the error with a number that validation can produce; {@link #DNSSEC_BOGUS} for all others. */
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
