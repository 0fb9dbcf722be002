package io.ballast.dns.forward.upstream;

import io.ballast.core.backend.Backend;
import io.ballast.net.tls.ClientTls;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one protocol to one server. While the process has no free file descriptor, queries use the
 * connections that are open. Event-loop confined.
 */
final class StreamConnections {

    private final UpstreamLoop loop;
    private final Backend backend;
    private final List<UpstreamConnection> connections = new ArrayList<>(2);

    private @Nullable ClientTls tls;

    StreamConnections(UpstreamLoop loop, Backend backend) {
        this.loop = loop;
        this.backend = backend;
    }

    /**
     * @param avoidsReused whether existing connections must be avoided
     * @param opener supplier that opens a new connection; it returns null if there are no TLS settings for the
     *     connection
     */
    void send(Attempt attempt, boolean avoidsReused, Supplier<@Nullable UpstreamConnection> opener) {
        connections.removeIf(UpstreamChannel::isRetired);
        boolean mayBeMore = connections.size() < loop.settings().streams().connections();
        UpstreamConnection chosen = chooseConnection(avoidsReused);
        if (chosen == null && mayBeMore && !(loop.isShortOfDescriptors() && hasCapacity())) {
            chosen = loop.open(backend, opener);
            if (chosen != null) {
                connections.add(chosen);
            } else if (!loop.isShortOfDescriptors()) {
                attempt.fail(AttemptFailure.TLS);
                return;
            }
        }
        if (chosen == null) {
            chosen = chooseConnection(/* avoidsReused= */ false);
        }
        if (chosen != null) {
            chosen.send(attempt);
        } else {
            attempt.fail(mayBeMore ? AttemptFailure.NO_DESCRIPTORS : AttemptFailure.TOO_MANY);
        }
    }

    private boolean hasCapacity() {
        return chooseConnection(/* avoidsReused= */ false) != null;
    }

    /**
     * Returns the maximum number of outstanding queries on all connections, including those that may still be
     * opened.
     */
    int capacity() {
        UpstreamSettings.Streams streams = loop.settings().streams();
        int capacity = 0;
        int open = 0;
        for (UpstreamConnection connection : connections) {
            if (!connection.isRetired()) {
                capacity += connection.capacity();
                open++;
            }
        }
        return capacity + Math.max(streams.connections() - open, 0) * streams.outstandingPerConnection();
    }

    /** Stops using connections that have other TLS settings. */
    void updateTls(@Nullable ClientTls newTls) {
        if (newTls != tls) {
            tls = newTls;
            retire();
        }
    }

    /** Chooses the first connection with capacity, so that connections later in the list can become idle. */
    private @Nullable UpstreamConnection chooseConnection(boolean avoidsReused) {
        for (UpstreamConnection connection : connections) {
            if (connection.hasCapacity() && !(avoidsReused && connection.isReused())) {
                return connection;
            }
        }
        return null;
    }

    void retire() {
        List.copyOf(connections).forEach(UpstreamChannel::retire);
        connections.clear();
    }
}
