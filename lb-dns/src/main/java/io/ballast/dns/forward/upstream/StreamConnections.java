package io.ballast.dns.forward.upstream;

import io.ballast.net.tls.ClientTls;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The connections of one protocol to one server. Event-loop confined. */
final class StreamConnections {

    private final UpstreamLoop loop;
    private final List<UpstreamConnection> connections = new ArrayList<>(2);

    private @Nullable ClientTls tls;

    StreamConnections(UpstreamLoop loop) {
        this.loop = loop;
    }

    /**
     * @param avoidsReused whether existing connections must be avoided
     * @param opener opens a new connection
     */
    void send(Attempt attempt, boolean avoidsReused, Supplier<@Nullable UpstreamConnection> opener) {
        connections.removeIf(UpstreamChannel::isRetired);
        UpstreamConnection chosen = chooseConnection(avoidsReused);
        if (chosen == null && connections.size() < loop.settings().streams().connections()) {
            chosen = opener.get();
            if (chosen == null) {
                attempt.fail(AttemptFailure.TLS);
                return;
            }
            connections.add(chosen);
        }
        if (chosen == null) {
            chosen = chooseConnection(/* avoidsReused= */ false);
        }
        if (chosen == null) {
            attempt.fail(AttemptFailure.TOO_MANY);
        } else {
            chosen.send(attempt);
        }
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
