package io.ballast.dns.dnssec;

/**
 * The record types of DNSSEC, by their numbers in the <a
 * href="https://www.iana.org/assignments/dns-parameters/dns-parameters.xhtml#dns-parameters-4">registry</a>.
 */
public final class DnssecRecordType {

    public static final int DS = 43;
    public static final int RRSIG = 46;
    public static final int NSEC = 47;
    public static final int DNSKEY = 48;
    public static final int NSEC3 = 50;
    public static final int NSEC3PARAM = 51;
    public static final int CDS = 59;
    public static final int CDNSKEY = 60;

    /** A pseudo-type for bitmaps: the name does not exist. It cannot be queried (RFC 9824 section 3.5). */
    public static final int NXNAME = 128;

    private DnssecRecordType() {}
}
