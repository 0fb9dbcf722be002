package io.ballast.dns.forward.upstream;

/** The counters of queries to resolvers. The label is the metric's label value and the name in the API. */
public enum UpstreamCounter {
    /** Queries sent by UDP. */
    QUERIES_UDP("udp"),
    /** Queries sent by TCP, those after a truncated response included. */
    QUERIES_TCP("tcp"),
    /** Queries sent over TLS. */
    QUERIES_DOT("dot"),
    /** Queries sent by HTTP/2. */
    QUERIES_DOH("doh"),
    /** Attempts that were answered. */
    ANSWERED("answered"),
    /** UDP responses that did not fit; the question is sent again over TCP. */
    TRUNCATED("truncated"),
    /** Messages that answer nothing that is outstanding where they came in: forged, mistaken, or too late. */
    MISMATCHED("mismatched"),
    /** Attempts without an answer in time. */
    TIMEOUTS("timeouts"),
    /** Attempts that were rejected because the limit of outstanding queries was reached. */
    TOO_MANY("too_many"),
    /** Attempts that failed in another way. */
    FAILED("failed"),
    /** Attempts repeated on a new connection because the old one had ended. */
    RETRIED("retried"),
    /** Questions sent to the same server again without EDNS, in lower case or with a cookie, since it wanted that. */
    REWRITTEN("rewritten"),
    /** Connections given up because nothing came on them after a query. */
    SILENT("silent"),
    /** Sockets opened for UDP. */
    SOCKETS_OPENED("sockets_opened"),
    /** Connections begun, by TCP or TLS. */
    CONNECTIONS_OPENED("connections_opened"),
    /** Defects: an exception where none should be. The first one is logged. */
    ERRORS("errors");

    private final String label;

    UpstreamCounter(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
