package io.ballast.dns.stats;

import io.ballast.dns.wire.Rcode;

/** What is counted for every query. The label is the metric's label value and the name in the API. */
public enum DnsCounter {
    /** Messages that came over UDP, whatever was in them. */
    QUERIES_UDP("udp"),
    /** Messages that came over TCP, whatever was in them. */
    QUERIES_TCP("tcp"),
    /** Messages that came over TLS, whatever was in them. */
    QUERIES_DOT("dot"),
    /** Messages that came over HTTP, whatever was in them. */
    QUERIES_DOH("doh"),
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
    YXDOMAIN("yxdomain"),
    YXRRSET("yxrrset"),
    NXRRSET("nxrrset"),
    NOTAUTH("notauth"),
    NOTZONE("notzone"),
    BADVERS("badvers"),
    BADCOOKIE("badcookie"),
    /** Responses cut down to the question because the client could not have taken more. */
    TRUNCATED("truncated"),
    /** Messages that broke the wire format, answered with FORMERR or not at all. */
    MALFORMED("malformed"),
    /** Messages that got no response: not queries, malformed beyond answering, or more than the network took. */
    DROPPED("dropped"),
    /** Signatures made for names that were asked, in signed zones. */
    SIGNED("signed"),
    /** Signatures not made because all the time for them was used up; the answer was REFUSED. */
    SIGNATURES_REFUSED("signatures_refused"),
    /** Queries whose cookie proves that the client receives what is sent to its address. */
    COOKIES_VALID("cookies_valid"),
    /** Queries with a server's cookie that is not ours, too old, or made up. They are answered all the same. */
    COOKIES_BAD("cookies_bad"),
    /** Responses beyond the rate limit that were sent without records, or with BADCOOKIE. */
    LIMITED_TRUNCATED("limited_truncated"),
    /** Responses beyond the rate limit that were not sent. */
    LIMITED_DROPPED("limited_dropped"),
    /** Responses that came in as if they were queries; none is ever answered. */
    RESPONSES_RECEIVED("responses_received"),
    /** Datagrams from ports that no resolver asks from. */
    SUSPICIOUS_PORTS("suspicious_ports"),
    /** Connections taken on, and those of them that have ended, by either side. */
    CONNECTIONS("connections"),
    CONNECTIONS_CLOSED("connections_closed"),
    /** Connections that could not be accepted when it was tried, for lack of a descriptor; they wait. */
    NOT_ACCEPTED("no_descriptors"),
    /** Connections closed at once because their client had as many as it may. */
    CLIENT_LIMIT("client_limit"),
    /** Connections closed to make room for others: those that were idle for longest. */
    EVICTED("evicted"),
    /** Connections closed because no query came. */
    IDLE("idle"),
    /** Connections cut because a message, a handshake or a proxy's header did not come whole in time. */
    SLOW_SENDER("slow_sender"),
    /** Connections cut because the client did not take its responses. */
    SLOW_READER("slow_reader"),
    /** Connections closed because they came from no trusted proxy, or without the header that it has to send. */
    PROXY_REFUSED("proxy"),
    /** Connections closed because their TLS handshake failed. */
    TLS_FAILED("tls"),
    /** Requests over HTTP that were answered by an error of HTTP and not by a message. */
    HTTP_ERRORS("http_errors"),
    /** Queries for names outside the zones that a list blocks, or whose answer leads to such a name or address. */
    FORWARD_BLOCKED("blocked"),
    /** Those for names that are answered by hand. */
    FORWARD_REWRITTEN("rewritten"),
    /** Those whose answer has an address that names of the internet may not have. */
    FORWARD_REBINDING("rebinding"),
    /** Queries for names outside the zones that were answered from what is kept. */
    FORWARD_HITS("hit"),
    /** Those that had to wait for a resolver. */
    FORWARD_MISSES("miss"),
    /** Those that got what was true some time ago, since no resolver answered in time. */
    FORWARD_STALE("stale"),
    /** Those that got SERVFAIL, since no resolver answered in time. */
    FORWARD_FAILED("failed"),
    /** Those that got a failure which a resolver had said, SERVFAIL mostly, kept or not. */
    FORWARD_SERVFAIL("servfail"),
    /** All of them, each once. */
    FORWARD_QUERIES("forwarded"),
    /** Those that were refused, since the client is in none of the networks that may ask. */
    FORWARD_PROHIBITED("prohibited"),
    /** Those that were refused, since as many waited as may. */
    FORWARD_OVERLOADED("overloaded"),
    /** Questions that went to resolvers: one for all queries that ask the same at the same time. */
    FORWARD_QUESTIONS("questions"),
    /** Questions asked before the end of what is kept, or to replace what has ended. */
    FORWARD_REFRESHES("refreshes"),
    /** Questions asked of another resolver, or once more. */
    FORWARD_RETRIES("retries"),
    /** Messages of resolvers that were no answers to what was asked. */
    FORWARD_MALFORMED("malformed_answers"),
    /** Records in answers that were left out, since they belong to other names. */
    FORWARD_OUT_OF_BAILIWICK("out_of_bailiwick"),
    /** Questions of which resolvers were told the client's network. */
    SUBNETS_TOLD("subnet_told"),
    /** Resolvers that would not answer when they were told a network, and were asked without. */
    SUBNETS_REFUSED("subnet_refused"),
    /** Queries whose network was not told, since the same was asked for as many as may be at a time. */
    SUBNETS_WITHHELD("subnet_withheld"),
    /** Questions about followed names that resolvers answered, if only by saying that there is nothing. */
    FOLLOW_ANSWERED("answered"),
    /** Those that they did not, or by an error. */
    FOLLOW_FAILED("failed"),
    /** Messages that are more than plain queries and were refused, since as many waited as may. */
    CONTROL_OVERLOADED("control_overloaded"),
    /** Messages whose signature was not made with a key that is known, or not over what came, or not lately. */
    CONTROL_UNSIGNED("control_unsigned"),
    /** Transfers of zones as a whole that were sent to their end. */
    TRANSFERS_WHOLE("whole"),
    /** Those of changes. */
    TRANSFERS_INCREMENTAL("incremental"),
    /** Those that had only to say which version there is. */
    TRANSFERS_UP_TO_DATE("up_to_date"),
    /** Those that were refused, since the client may not have the zone, or not this way. */
    TRANSFERS_PROHIBITED("prohibited"),
    /** Those that were refused, since as many were on their way as may. */
    TRANSFERS_OVERLOADED("overloaded"),
    /** Those that did not come to their end. */
    TRANSFERS_CUT("cut"),
    /** Updates of zones that have changed something. */
    UPDATES_APPLIED("applied"),
    /** Those by which nothing became different. */
    UPDATES_UNCHANGED("unchanged"),
    /** Those whose prerequisites did not hold. */
    UPDATES_UNMET("unmet"),
    /** Those that break the rules of updates. */
    UPDATES_MALFORMED("malformed"),
    /** Those that were refused, since the client may not change the zone, or not this of it. */
    UPDATES_PROHIBITED("prohibited"),
    /** Those that could not be written or served, so that the zone stays as it was. */
    UPDATES_FAILED("failed"),
    /** Those that were refused, since as many waited as may. */
    UPDATES_OVERLOADED("overloaded"),
    /** Servers that were told of a change of a zone and have said so. */
    NOTIFIES_ACKNOWLEDGED("acknowledged"),
    /** Servers that were told of one and have refused it or said nothing. */
    NOTIFIES_FAILED("failed"),
    /** Answers whose signatures are right, up to a trust anchor. */
    VALIDATED_SECURE("secure"),
    /** Those that need not be signed. */
    VALIDATED_INSECURE("insecure"),
    /** Those whose signatures are wrong or missing, or that deny without a proof. */
    VALIDATED_BOGUS("bogus"),
    /** Those about which nothing can be said, since a key could not be had. */
    VALIDATION_FAILED("indeterminate"),
    /** Those that were not examined, since as many waited as may. */
    VALIDATION_DROPPED("dropped"),
    /** How long signatures were checked. */
    VALIDATION_NANOS("nanoseconds"),
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
