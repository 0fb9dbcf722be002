package io.ballast.dns.forward.upstream;

import io.ballast.core.stats.LabelledCounter;

/** The counters of queries to resolvers. The label is the metric's label value and the name in the API. */
public enum UpstreamCounter implements LabelledCounter {
    /** Queries sent over UDP. */
    QUERIES_UDP("udp"),
    /** Queries sent over TCP, including those after a truncated response. */
    QUERIES_TCP("tcp"),
    /** Queries sent over TLS. */
    QUERIES_DOT("dot"),
    /** Queries sent over HTTP/2. */
    QUERIES_DOH("doh"),
    /** Attempts that were answered. */
    ANSWERED("answered"),
    /** Truncated UDP responses; the question is sent again over TCP. */
    TRUNCATED("truncated"),
    /** Messages that match no outstanding query on their socket: forged, incorrect, or too late. */
    MISMATCHED("mismatched"),
    /** Attempts that were not answered in time. */
    TIMEOUTS("timeouts"),
    /** Attempts that were rejected because the limit of outstanding queries was reached. */
    TOO_MANY("too_many"),
    /** Attempts that failed for reasons other than a timeout or the limit of outstanding queries. */
    FAILED("failed"),
    /** Attempts repeated on a new connection because the old one had ended. */
    RETRIED("retried"),
    /**
     * Questions resent to the same server without EDNS, in lower case or with a cookie, as its response required.
     */
    REWRITTEN("rewritten"),
    /** Connections that were abandoned because no data arrived after a query. */
    SILENT("silent"),
    /** Sockets opened for UDP. */
    SOCKETS_OPENED("sockets_opened"),
    /** Opened TCP or TLS connections. */
    CONNECTIONS_OPENED("connections_opened"),
    /** Unexpected exceptions, which are bugs. The first one is logged. */
    ERRORS("errors");

    private final String label;

    UpstreamCounter(String label) {
        this.label = label;
    }

    @Override
    public String label() {
        return label;
    }
}
