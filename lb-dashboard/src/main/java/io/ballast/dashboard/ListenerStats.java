package io.ballast.dashboard;

import java.util.List;
import java.util.Map;

/**
 * The numbers of one listener that takes HTTP clients. Totals only ever grow.
 *
 * <p>Called on the dashboard's thread, about once a second; must not block.
 */
public interface ListenerStats {

    /** Unique among listeners; the label of its metrics. */
    String name();

    /** Where it listens, with the real port. */
    String address();

    /** Requests received, malformed ones included, whatever became of them. */
    long requests();

    /** Those of them that are over. */
    long requestsCompleted();

    /**
     * Those of them that are over and failed by no fault of their client: answered by a 5xx, a backend's or the
     * balancer's own, or broken off.
     */
    long errors();

    /** Requests that are being served now, waiting ones included. */
    default long inFlight() {
        long completed = requestsCompleted(); // first: a request begins before it is over
        return requests() - completed;
    }

    /** Responses sent to clients, the balancer's own included. {@code statusClass} is 1 to 5, for 1xx to 5xx. */
    long responses(int statusClass);

    long connectionsAccepted();

    int connectionsOpen();

    /** Connections that a limit closed, by reason; always the same keys. */
    Map<String, Long> connectionsLimited();

    /** Exchanges that failed, by kind; always the same keys. */
    Map<String, Long> failures();

    /** Bytes received from clients. */
    default long bytesReceived() {
        return 0;
    }

    /** Bytes sent to clients. */
    default long bytesSent() {
        return 0;
    }

    /** Tunnels that are open now: clients and backends that have switched to another protocol. */
    default long tunnelsOpen() {
        return 0;
    }

    /** Tunnels that were opened. */
    default long tunnelsOpened() {
        return 0;
    }

    /** Datagrams of a listener for UDP: in, out and dropped; always the same keys. */
    default Map<String, Long> datagrams() {
        return Map.of("in", 0L, "out", 0L, "dropped", 0L);
    }

    /** Requests that wanted another protocol on their connection, which is not passed on. */
    default long upgradesIgnored() {
        return 0;
    }

    /** The certificates that it shows to clients now, the one for those that ask for none of them first. */
    default List<CertificateStats> certificates() {
        return List.of();
    }

    /** Requests that should have been logged and were not, because the queue or the disk could not take them. */
    default long accessLogDropped() {
        return 0;
    }
}
