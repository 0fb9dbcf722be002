package io.ballast.dns.stats;

import io.ballast.dns.wire.Rcode;

/** What is counted for every query. The label is the metric's label value and the name in the API. */
public enum DnsCounter {
    /** Messages that came over UDP, whatever was in them. */
    QUERIES_UDP("udp"),
    /** Messages that came over TCP, whatever was in them. */
    QUERIES_TCP("tcp"),
    /** Well-formed questions by type. */
    TYPE_A("a"),
    TYPE_AAAA("aaaa"),
    TYPE_OTHER("other"),
    /** Responses by their code. NODATA counts as NOERROR, as on the wire. */
    NOERROR("noerror"),
    FORMERR("formerr"),
    SERVFAIL("servfail"),
    NXDOMAIN("nxdomain"),
    NOTIMP("notimp"),
    REFUSED("refused"),
    BADVERS("badvers"),
    /** Responses cut down to the question because the client could not have taken more. */
    TRUNCATED("truncated"),
    /** Messages that broke the wire format, answered with FORMERR or not at all. */
    MALFORMED("malformed"),
    /** Messages that got no response: not queries, malformed beyond answering, or more than the network took. */
    DROPPED("dropped"),
    /** TCP connections taken on. */
    CONNECTIONS("connections"),
    /** TCP connections closed at once because there were too many. */
    CONNECTIONS_REFUSED("connections_refused"),
    /** Defects: an exception where none should be. The first one is logged. */
    ERRORS("errors");

    private final String label;

    DnsCounter(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }

    /** The counter of a response code that the server sends. */
    public static DnsCounter ofRcode(int rcode) {
        return switch (rcode) {
            case Rcode.NOERROR -> NOERROR;
            case Rcode.FORMERR -> FORMERR;
            case Rcode.NXDOMAIN -> NXDOMAIN;
            case Rcode.NOTIMP -> NOTIMP;
            case Rcode.REFUSED -> REFUSED;
            case Rcode.BADVERS -> BADVERS;
            default -> SERVFAIL;
        };
    }
}
