package io.ballast.dns.answer;

import io.ballast.dns.querylog.SocketProtocol;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.wire.Edns;
import io.ballast.dns.wire.Query;
import io.ballast.dns.wire.Wire;

/** How a query came, which bounds its response. */
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

    /** As it is logged. */
    SocketProtocol protocol() {
        return protocol;
    }

    /** Whether a message is a datagram, whose sender's address may be forged. */
    public boolean isDatagram() {
        return this == UDP;
    }

    /** Most octets of the response to a query. */
    int limit(Query query) {
        return isDatagram() ? Math.min(query.edns().payload(), Edns.MAX_PAYLOAD_BYTES) : Wire.MAX_MESSAGE_BYTES;
    }

    /** Whether clients may be told how long an idle connection stays. HTTP has its own ways. */
    boolean hasKeepalive() {
        return this == TCP || this == DOT;
    }

    /** Whether only the length of a message can be seen on its way, so that hiding it has a point. */
    boolean isEncrypted() {
        return this == DOT || this == DOH;
    }
}
