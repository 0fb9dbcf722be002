package io.ballast.http.h2.backend;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.BackendConnections;
import io.ballast.http.exchange.Exchange;
import java.util.ArrayList;
import java.util.List;

/**
 * The connections of one event loop to one backend. An exchange goes to the first that has room, so that there are as few as
 * can be. Event-loop confined.
 */
final class BackendConnectionList {

    private final Http2Backends loop;
    private final Backend backend;
    private final BackendConnections settings;
    private final List<Http2BackendConnection> connections = new ArrayList<>();
    private int mostStreams = Integer.MAX_VALUE;

    BackendConnectionList(Http2Backends loop, Backend backend, BackendConnections settings) {
        this.loop = loop;
        this.backend = backend;
        this.settings = settings;
    }

    /** Gives the exchange a stream, at once or when a connection is made. */
    void open(Exchange exchange, boolean fresh) {
        for (int i = 0; i < connections.size(); i++) {
            Http2BackendConnection candidate = connections.get(i);
            // Those that lost a connection together share a fresh one.
            if (candidate.hasRoom() && (!fresh || candidate.isBeingMade())) {
                candidate.open(exchange);
                return;
            }
        }
        Http2BackendConnection connection = new Http2BackendConnection(loop, backend, settings, this);
        connections.add(connection);
        connection.open(exchange);
        connection.connect();
    }

    /** How many streams the backend takes on a connection, as far as it has said so. */
    int mostStreams() {
        return mostStreams;
    }

    void mostStreams(int most) {
        mostStreams = most;
    }

    /** The connection takes no more exchanges. */
    void remove(Http2BackendConnection connection) {
        connections.remove(connection);
    }

    void closeIdle() {
        List.copyOf(connections).forEach(Http2BackendConnection::closeIfIdle);
    }
}
