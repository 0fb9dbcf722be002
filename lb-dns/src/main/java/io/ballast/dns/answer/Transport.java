package io.ballast.dns.answer;

import io.ballast.dns.stats.DnsCounter;

/** How a query came, which bounds its response. */
public enum Transport {
    UDP(DnsCounter.QUERIES_UDP),
    TCP(DnsCounter.QUERIES_TCP),
    DOT(DnsCounter.QUERIES_DOT),
    DOH(DnsCounter.QUERIES_DOH);

    private final DnsCounter queries;

    Transport(DnsCounter queries) {
        this.queries = queries;
    }

    DnsCounter queries() {
        return queries;
    }
}
