package io.ballast.dns.forward.upstream;

import io.ballast.core.Checks;
import java.time.Duration;

/**
 * Settings of upstream connections. Limits apply per event loop.
 *
 * @param attemptTimeout time limit of an attempt to query one server, including connecting, TLS and a second
 *     query over TCP
 * @param outstandingPerServer maximum number of unanswered queries per server
 * @param mixedCase whether the letters of the query name get random case, which the response must repeat (<a
 *     href="https://datatracker.ietf.org/doc/html/draft-vixie-dnsext-dns0x20-00">0x20</a>)
 * @param udp settings of UDP sockets
 * @param streams settings of TCP, TLS and HTTPS connections
 * @param tls TLS settings of servers; a server without them is not queried over TLS
 */
public record UpstreamSettings(
        Duration attemptTimeout,
        int outstandingPerServer,
        boolean mixedCase,
        Udp udp,
        Streams streams,
        UpstreamTls tls) {

    /** The default settings, without TLS. */
    public static final UpstreamSettings DEFAULT = new UpstreamSettings(
            Duration.ofMillis(1500), 4096, /* mixedCase= */ true, Udp.DEFAULT, Streams.DEFAULT, UpstreamTls.NONE);

    private static final Duration MAX_SILENCE = Duration.ofSeconds(1);

    public UpstreamSettings {
        Checks.positive(attemptTimeout, "attemptTimeout");
        Checks.positive(outstandingPerServer, "outstandingPerServer");
    }

    /**
     * Returns the silence timeout: a connection is silent if no data has arrived for this time since a query was
     * sent. The timeout is one second, or half of {@code attemptTimeout} if that is less.
     */
    Duration silenceTimeout() {
        Duration half = attemptTimeout.dividedBy(2);
        return half.compareTo(MAX_SILENCE) < 0 ? half : MAX_SILENCE;
    }

    /** Returns a copy with these TLS settings. */
    public UpstreamSettings with(UpstreamTls newTls) {
        return new UpstreamSettings(attemptTimeout, outstandingPerServer, mixedCase, udp, streams, newTls);
    }

    /**
     * Returns a copy for another type of queries.
     *
     * @param timeout time limit of one server
     * @param usesMixedCase whether names are sent in random case
     * @param outstanding maximum number of outstanding queries; a server gets this number of permits for
     *     queries, and the same number for retransmissions
     */
    public UpstreamSettings with(Duration timeout, boolean usesMixedCase, int outstanding) {
        return new UpstreamSettings(
                timeout, Math.max(2 * outstanding, outstandingPerServer), usesMixedCase, udp, streams, tls);
    }

    /**
     * Settings of the UDP sockets to one server. Each has its own port, which the system chooses randomly.
     *
     * @param sockets the maximum number of sockets, over which queries are spread
     * @param outstandingPerSocket the maximum number of unanswered questions on a socket
     * @param queriesPerSocket the number of queries after which a socket is replaced
     * @param socketLifetime the age at which a socket is replaced
     */
    public record Udp(int sockets, int outstandingPerSocket, int queriesPerSocket, Duration socketLifetime) {

        public static final Udp DEFAULT = new Udp(16, 4096, 1000, Duration.ofSeconds(10));

        public Udp {
            Checks.between(sockets, 1, 1024, "sockets");
            Checks.between(outstandingPerSocket, 1, IdTable.MAX_IDS, "outstandingPerSocket");
            Checks.positive(queriesPerSocket, "queriesPerSocket");
            Checks.positive(socketLifetime, "socketLife");
        }
    }

    /**
     * Settings of the connections to one server with one protocol.
     *
     * @param connections the maximum number of connections; another connection is opened only when all existing ones
     *     are full
     * @param outstandingPerConnection the maximum number of outstanding queries on a connection
     * @param idleTimeout the time without queries after which a connection is closed
     */
    public record Streams(int connections, int outstandingPerConnection, Duration idleTimeout) {

        public static final Streams DEFAULT = new Streams(2, 256, Duration.ofSeconds(10));

        public Streams {
            Checks.positive(connections, "connections");
            Checks.between(outstandingPerConnection, 1, IdTable.MAX_IDS, "outstandingPerConnection");
            Checks.positive(idleTimeout, "idle");
        }
    }
}
