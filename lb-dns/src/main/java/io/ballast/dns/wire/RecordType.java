package io.ballast.dns.wire;

/**
 * The record types that the server treats specially, by their numbers in the <a
 * href="https://www.iana.org/assignments/dns-parameters/dns-parameters.xhtml#dns-parameters-4">registry</a>.
 */
public final class RecordType {

    public static final int A = 1;
    public static final int NS = 2;
    public static final int CNAME = 5;
    public static final int SOA = 6;
    public static final int PTR = 12;
    public static final int HINFO = 13;
    public static final int MX = 15;
    public static final int TXT = 16;
    public static final int AAAA = 28;
    public static final int SRV = 33;
    public static final int DNAME = 39;
    public static final int OPT = 41;
    public static final int DS = 43;
    public static final int RRSIG = 46;
    public static final int NSEC = 47;
    public static final int DNSKEY = 48;
    public static final int NSEC3 = 50;
    public static final int TKEY = 249;
    public static final int TSIG = 250;
    public static final int IXFR = 251;
    public static final int AXFR = 252;
    public static final int SVCB = 64;
    public static final int HTTPS = 65;
    public static final int ANY = 255;

    private RecordType() {}

    /**
     * Whether records of the type belong to a message and not to a name, so that a query for the type is
     * meaningless.
     */
    public static boolean isMessageOnly(int type) {
        return type == OPT || type == TSIG || type == TKEY;
    }

    /** Returns whether the type requests a zone transfer. */
    public static boolean isTransfer(int type) {
        return type == AXFR || type == IXFR;
    }

    /**
     * Whether records of the type may coexist with a CNAME record at the same name (RFC 4034 sections 3 and 4).
     * Queries for such a type do not follow the CNAME record.
     */
    public static boolean canCoexistWithCname(int type) {
        return type == RRSIG || type == NSEC;
    }
}
