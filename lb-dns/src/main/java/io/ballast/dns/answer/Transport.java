package io.ballast.dns.answer;

import io.ballast.dns.querylog.SocketProtocol;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.wire.Edns;
import io.ballast.dns.wire.Query;
import io.ballast.dns.wire.Wire;

/** The transport of a query. It limits the size of the response. */
public enum Transport {
    UDP(DnsCounter.QUERIES_UDP, SocketProtocol.UDP),
    TCP(DnsCounter.QUERIES_TCP, SocketProtocol.TCP),
    DOT(DnsCounter.QUERIES_DOT, SocketProtocol.DOT),
    DOH(DnsCounter.QUERIES_DOH, SocketProtocol.DOH);

    private final DnsCounter queries;
    private final SocketProtocol protocol;

    Transport(DnsCounter queries, SocketProtocol protocol) {
        this.queries = queries;
        this.protocol = protocol;
    }

    DnsCounter queries() {
        return queries;
    }

    /** Returns the protocol as recorded in the query log. */
    public SocketProtocol protocol() {
        return protocol;
    }

    /** Whether a message is a datagram, whose source address may be spoofed. */
    public boolean isDatagram() {
        return this == UDP;
    }

    /** The maximum size of the response to a query in bytes. */
    public int limit(Query query) {
        return isDatagram() ? Math.min(query.edns().payload(), Edns.MAX_PAYLOAD_BYTES) : Wire.MAX_MESSAGE_BYTES;
    }

    /** Whether responses may have the edns-tcp-keepalive option. DoH uses the timeouts of HTTP. */
    boolean hasKeepalive() {
        return this == TCP || this == DOT;
    }

    /** Whether the transport encrypts messages, so that responses are padded to hide their length. */
    boolean isEncrypted() {
        return this == DOT || this == DOH;
    }
}
