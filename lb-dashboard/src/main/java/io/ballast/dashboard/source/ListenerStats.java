package io.ballast.dashboard.source;

import io.ballast.core.stats.BoundStatistic;
import java.util.List;

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
     * Completed requests that failed, but not because of the client: a backend or the balancer sent a 5xx response, or
     * the response was aborted.
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

    /**
     * All further statistics of the listener, in a fixed order that is the same for every listener. Their metrics
     * have the name of the listener as the first label.
     */
    List<BoundStatistic<?>> statistics();

    /** Certificates presented to clients, the default certificate first. */
    default List<CertificateStats> certificates() {
        return List.of();
    }
}
