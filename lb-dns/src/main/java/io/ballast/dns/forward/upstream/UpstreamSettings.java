package io.ballast.dns.forward.upstream;

import io.ballast.core.Checks;
import java.time.Duration;

/**
 * How upstreams are asked. Bounds hold for one event loop.
 *
 * @param attemptTimeout how long one server may take; connecting, TLS and a second query by TCP included
 * @param outstandingPerServer most questions without an answer at one server
 * @param mixedCase whether letters of the name are sent in a case that is drawn for each query and must come back (<a
 *     href="https://datatracker.ietf.org/doc/html/draft-vixie-dnsext-dns0x20-00">0x20</a>)
 * @param udp sockets for datagrams
 * @param streams connections
 * @param tls of servers that are asked over it; who has none is not asked so
 */
public record UpstreamSettings(
        Duration attemptTimeout,
        int outstandingPerServer,
        boolean mixedCase,
        Udp udp,
        Streams streams,
        UpstreamTls tls) {

    /** The defaults, without TLS. */
    public static final UpstreamSettings DEFAULT = new UpstreamSettings(
            Duration.ofMillis(1500), 4096, /* mixedCase= */ true, Udp.DEFAULT, Streams.DEFAULT, UpstreamTls.NONE);

    private static final Duration MAX_SILENCE = Duration.ofSeconds(1);

    public UpstreamSettings {
        Checks.positive(attemptTimeout, "attemptTimeout");
        Checks.positive(outstandingPerServer, "outstandingPerServer");
    }

    /**
     * After this time a connection on which a query was sent and nothing has come since counts as silent: a second, or
     * half of the time for one server if that is less.
     */
    Duration silence() {
        Duration half = attemptTimeout.dividedBy(2);
        return half.compareTo(MAX_SILENCE) < 0 ? half : MAX_SILENCE;
    }

    /** Returns a copy with TLS. */
    public UpstreamSettings with(UpstreamTls secured) {
        return new UpstreamSettings(attemptTimeout, outstandingPerServer, mixedCase, udp, streams, secured);
    }

    /**
     * The same for other questions.
     *
     * @param timeout for one server
     * @param drawsCase whether names are sent in random case
     * @param outstanding most questions that are asked at once: a server has places for all of them, and as many for
     *     repetitions
     */
    public UpstreamSettings with(Duration timeout, boolean drawsCase, int outstanding) {
        return new UpstreamSettings(
                timeout, Math.max(2 * outstanding, outstandingPerServer), drawsCase, udp, streams, tls);
    }

    /**
     * Sockets for datagrams to one server. Each has a port of its own, which the system draws.
     *
     * @param sockets that queries are spread over, at most
     * @param outstandingPerSocket most questions without an answer on one
     * @param queriesPerSocket after which a new one takes its place
     * @param socketLife after which a new one takes its place
     */
    public record Udp(int sockets, int outstandingPerSocket, int queriesPerSocket, Duration socketLife) {

        public static final Udp DEFAULT = new Udp(16, 4096, 1000, Duration.ofSeconds(10));

        public Udp {
            Checks.between(sockets, 1, 1024, "sockets");
            Checks.between(outstandingPerSocket, 1, IdTable.MAX, "outstandingPerSocket");
            Checks.positive(queriesPerSocket, "queriesPerSocket");
            Checks.positive(socketLife, "socketLife");
        }
    }

    /**
     * Connections to one server, of one protocol.
     *
     * @param connections most; another one is opened only when those before are full
     * @param outstandingPerConnection most questions without an answer on one
     * @param idle after which one without questions is closed
     */
    public record Streams(int connections, int outstandingPerConnection, Duration idle) {

        public static final Streams DEFAULT = new Streams(2, 256, Duration.ofSeconds(10));

        public Streams {
            Checks.positive(connections, "connections");
            Checks.between(outstandingPerConnection, 1, IdTable.MAX, "outstandingPerConnection");
            Checks.positive(idle, "idle");
        }
    }
}
