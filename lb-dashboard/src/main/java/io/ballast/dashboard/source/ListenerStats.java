package io.ballast.dashboard.source;

import java.util.List;
import java.util.Map;

/**
 * Statistics of one HTTP listener. Totals never decrease.
 *
 * <p>Called on the dashboard's thread, about once a second; must not block.
 */
public interface ListenerStats {

    /** Unique name, used as metric label. */
    String name();

    /** Bound address, with the real port. */
    String address();

    /** Received requests, including malformed ones. */
    long requests();

    /** Completed requests. */
    long requestsCompleted();

    /**
     * Completed requests that failed through no fault of the client: a backend or the balancer sent a 5xx
     * response, or the response was aborted.
     */
    long errors();

    /** Requests in flight, including queued ones. */
    default long inFlight() {
        long completed = requestsCompleted(); // read first, because a request starts before it completes
        return requests() - completed;
    }

    /** Responses sent to clients, including the balancer's own. {@code statusClass} is 1 to 5, for 1xx to 5xx. */
    long responses(int statusClass);

    long connectionsAccepted();

    int connectionsOpen();

    /** Connections that a limit closed, by reason; the keys never change. */
    Map<String, Long> connectionsLimited();

    /** Failed exchanges by kind; the keys never change. */
    Map<String, Long> failures();

    /** Bytes received from clients. */
    default long bytesReceived() {
        return 0;
    }

    /** Bytes sent to clients. */
    default long bytesSent() {
        return 0;
    }

    /** Open tunnels, such as WebSocket connections. */
    default long tunnelsOpen() {
        return 0;
    }

    /** Opened tunnels. */
    default long tunnelsOpened() {
        return 0;
    }

    /** Datagrams of a UDP listener: received, sent and dropped; the keys never change. */
    default Map<String, Long> datagrams() {
        return Map.of("in", 0L, "out", 0L, "dropped", 0L);
    }

    /** Requests whose Upgrade header was not forwarded. */
    default long upgradesIgnored() {
        return 0;
    }

    /** Certificates presented to clients, the default certificate first. */
    default List<CertificateStats> certificates() {
        return List.of();
    }

    /** Access log entries that were dropped, because the queue or the disk was too slow. */
    default long accessLogDropped() {
        return 0;
    }
}
