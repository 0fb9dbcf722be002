package io.ballast.dns.stats;

import io.ballast.core.stats.LabelledCounter;
import io.ballast.dns.wire.Rcode;

/** The counters of a DNS frontend. The label is the metric's label value and the name in the API. */
public enum DnsCounter implements LabelledCounter {
    /** Messages received over UDP, valid or not. */
    QUERIES_UDP("udp"),
    /** Messages received over TCP, valid or not. */
    QUERIES_TCP("tcp"),
    /** Messages received over TLS, valid or not. */
    QUERIES_DOT("dot"),
    /** Messages received over HTTP, valid or not. */
    QUERIES_DOH("doh"),
    /** Well-formed queries by type. */
    TYPE_A("A"),
    TYPE_AAAA("AAAA"),
    TYPE_OTHER("other"),
    /** Responses by response code. NODATA counts as NOERROR, as on the wire. */
    NOERROR("NOERROR"),
    FORMERR("FORMERR"),
    SERVFAIL("SERVFAIL"),
    NXDOMAIN("NXDOMAIN"),
    NOTIMP("NOTIMP"),
    REFUSED("REFUSED"),
    YXDOMAIN("YXDOMAIN"),
    YXRRSET("YXRRSET"),
    NXRRSET("NXRRSET"),
    NOTAUTH("NOTAUTH"),
    NOTZONE("NOTZONE"),
    BADVERS("BADVERS"),
    BADCOOKIE("BADCOOKIE"),
    /**
     * Responses truncated to the header and question section because they exceed the client's size limit.
     */
    TRUNCATED("truncated"),
    /** Messages that violate the wire format; answered with FORMERR or dropped. */
    MALFORMED("malformed"),
    /**
     * Messages that got no response, because they were not queries, were too malformed to answer, or the network
     * did not accept the response.
     */
    DROPPED("dropped"),
    /** Signatures made on demand, for queries in signed zones. */
    SIGNED("signed"),
    /** Signatures not made because the time budget for signing was used up; the response was REFUSED. */
    SIGNATURES_REFUSED("signatures_refused"),
    /** Queries whose cookie proves that the client receives packets at its address. */
    COOKIES_VALID("cookies_valid"),
    /** Queries whose server cookie is expired, forged or from another server. They are answered nevertheless. */
    COOKIES_BAD("cookies_bad"),
    /** Responses over the rate limit that were truncated, or replaced by BADCOOKIE. */
    LIMITED_TRUNCATED("limited_truncated"),
    /** Responses over the rate limit that were dropped. */
    LIMITED_DROPPED("limited_dropped"),
    /** Received messages that are responses; they are never answered. */
    RESPONSES_RECEIVED("responses_received"),
    /** Datagrams from source ports that no resolver uses. */
    SUSPICIOUS_PORTS("suspicious_ports"),
    /** Accepted connections. {@link #CONNECTIONS_CLOSED} counts those that the client or server has closed. */
    CONNECTIONS("connections"),
    CONNECTIONS_CLOSED("connections_closed"),
    /**
     * Failed attempts to accept a connection because of a lack of file descriptors; the connection stays in the
     * backlog.
     */
    NOT_ACCEPTED("no_descriptors"),
    /** Connections closed immediately because the client reached its connection limit. */
    CLIENT_LIMIT("client_limit"),
    /** Idle connections closed to make room for new ones; the longest idle first. */
    EVICTED("evicted"),
    /** Connections closed because no query arrived. */
    IDLE("idle"),
    /** Connections closed because a message, TLS handshake or PROXY header was not complete in time. */
    SLOW_SENDER("slow_sender"),
    /** Connections closed because the client did not read its responses. */
    SLOW_READER("slow_reader"),
    /** Connections closed because the sender is not a trusted proxy, or sent no PROXY header. */
    PROXY_REFUSED("proxy"),
    /** Connections closed because their TLS handshake failed. */
    TLS_FAILED("tls"),
    /** HTTP requests that were answered with an HTTP error instead of a DNS message. */
    HTTP_ERRORS("http_errors"),
    /**
     * Forwarded queries that a list blocked because of the queried name, or of a name or address in the answer.
     */
    FORWARD_BLOCKED("blocked"),
    /** Forwarded queries answered by a rewrite rule. */
    FORWARD_REWRITTEN("rewritten"),
    /** Forwarded queries whose answer has an address forbidden by DNS rebinding protection. */
    FORWARD_REBINDING("rebinding"),
    /** Forwarded queries answered from the cache. */
    FORWARD_HITS("hit"),
    /** Forwarded queries that waited for a resolver. */
    FORWARD_MISSES("miss"),
    /** Forwarded queries answered with stale data because no resolver answered in time. */
    FORWARD_STALE("stale"),
    /** Forwarded queries answered with SERVFAIL because no resolver answered in time. */
    FORWARD_FAILED("failed"),
    /** Forwarded queries answered with a resolver's error, usually SERVFAIL, cached or not. */
    FORWARD_SERVFAIL("servfail"),
    /** All queries for names outside the zones, each counted once. */
    FORWARD_QUERIES("forwarded"),
    /** Forwarded queries refused because the client is in no allowed network. */
    FORWARD_PROHIBITED("prohibited"),
    /** Forwarded queries refused because the limit of pending queries was reached. */
    FORWARD_OVERLOADED("overloaded"),
    /** Queries sent to resolvers; concurrent identical client queries share one. */
    FORWARD_QUESTIONS("questions"),
    /** Upstream queries that refresh a cached answer before or after it expires. */
    FORWARD_REFRESHES("refreshes"),
    /** Upstream queries that were retried, at the same or another resolver. */
    FORWARD_RETRIES("retries"),
    /** Upstream messages that do not match the query. */
    FORWARD_MALFORMED("malformed_answers"),
    /** Records removed from upstream answers because they belong to other names. */
    FORWARD_OUT_OF_BAILIWICK("out_of_bailiwick"),
    /** Upstream queries that carry the client's subnet (ECS). */
    SUBNETS_TOLD("subnet_told"),
    /** Queries with a client subnet that a resolver rejected; they were repeated without the subnet. */
    SUBNETS_REFUSED("subnet_refused"),
    /** Queries whose client subnet was withheld because too many subnets were in flight for the same question. */
    SUBNETS_WITHHELD("subnet_withheld"),
    /** Upstream queries that carry EDNS options of the client; their answers are not cached. */
    OPTIONS_FORWARDED("with_options"),
    /** Lookups of alias targets that a resolver answered, including negative answers. */
    FOLLOW_ANSWERED("answered"),
    /** Lookups of alias targets that failed or got an error. */
    FOLLOW_FAILED("failed"),
    /** Control messages refused because the limit of waiting messages was reached. */
    CONTROL_OVERLOADED("control_overloaded"),
    /** Messages with a TSIG by an unknown key, with a wrong signature, or with an expired time. */
    CONTROL_UNSIGNED("control_unsigned"),
    /** Full zone transfers sent completely. */
    TRANSFERS_WHOLE("whole"),
    /** Incremental zone transfers sent completely. */
    TRANSFERS_INCREMENTAL("incremental"),
    /** Incremental transfer requests answered with the current serial only. */
    TRANSFERS_UP_TO_DATE("up_to_date"),
    /** Zone transfers refused because the client is not allowed to transfer the zone, or not over this transport. */
    TRANSFERS_PROHIBITED("prohibited"),
    /** Zone transfers refused because the limit of concurrent transfers was reached. */
    TRANSFERS_OVERLOADED("overloaded"),
    /** Zone transfers that were aborted. */
    TRANSFERS_CUT("cut"),
    /** Dynamic updates that changed a zone. */
    UPDATES_APPLIED("applied"),
    /** Dynamic updates that changed nothing. */
    UPDATES_UNCHANGED("unchanged"),
    /** Dynamic updates whose prerequisites did not hold. */
    UPDATES_UNMET("unmet"),
    /** Malformed dynamic updates. */
    UPDATES_MALFORMED("malformed"),
    /** Dynamic updates refused because the client is not allowed to change the zone or these records. */
    UPDATES_PROHIBITED("prohibited"),
    /** Dynamic updates that could not be stored or served; the zone is unchanged. */
    UPDATES_FAILED("failed"),
    /** Dynamic updates refused because the limit of waiting updates was reached. */
    UPDATES_OVERLOADED("overloaded"),
    /** NOTIFY messages that a secondary acknowledged. */
    NOTIFIES_ACKNOWLEDGED("acknowledged"),
    /** NOTIFY messages that a secondary rejected or did not answer. */
    NOTIFIES_FAILED("failed"),
    /** Answers with valid signatures up to a trust anchor. */
    VALIDATED_SECURE("secure"),
    /**
     * Answers that need no valid signatures: the zone is provably unsigned, or the configuration lists the name
     * as insecure.
     */
    VALIDATED_INSECURE("insecure"),
    /** Answers with invalid or missing signatures, or without a proof of denial. */
    VALIDATED_BOGUS("bogus"),
    /** Answers that could not be validated because a key was not available. */
    VALIDATION_FAILED("indeterminate"),
    /** Answers that were not validated because the limit of waiting validations was reached. */
    VALIDATION_DROPPED("dropped"),
    /** Time spent on signature validation, in nanoseconds. */
    VALIDATION_NANOS("nanoseconds"),
    /** Unexpected exceptions. The first one is logged. */
    ERRORS("errors");

    private final String label;

    DnsCounter(String label) {
        this.label = label;
    }

    @Override
    public String label() {
        return label;
    }

    /** The counter of a response code that the server sends; other codes count as SERVFAIL. */
    public static DnsCounter ofRcode(int rcode) {
        return switch (rcode) {
            case Rcode.NOERROR -> NOERROR;
            case Rcode.FORMERR -> FORMERR;
            case Rcode.NXDOMAIN -> NXDOMAIN;
            case Rcode.NOTIMP -> NOTIMP;
            case Rcode.REFUSED -> REFUSED;
            case Rcode.YXDOMAIN -> YXDOMAIN;
            case Rcode.YXRRSET -> YXRRSET;
            case Rcode.NXRRSET -> NXRRSET;
            case Rcode.NOTAUTH -> NOTAUTH;
            case Rcode.NOTZONE -> NOTZONE;
            case Rcode.BADVERS -> BADVERS;
            case Rcode.BADCOOKIE -> BADCOOKIE;
            default -> SERVFAIL;
        };
    }
}
