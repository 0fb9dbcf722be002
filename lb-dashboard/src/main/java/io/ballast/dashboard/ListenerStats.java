package io.ballast.dashboard;

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

    /** Requests received, whatever became of them. */
    long requests();

    /** Responses sent to clients, the balancer's own included. {@code statusClass} is 1 to 5, for 1xx to 5xx. */
    long responses(int statusClass);

    long connectionsAccepted();

    int connectionsOpen();

    /** Bytes received from clients. */
    default long bytesReceived() {
        return 0;
    }

    /** Bytes sent to clients. */
    default long bytesSent() {
        return 0;
    }
}
