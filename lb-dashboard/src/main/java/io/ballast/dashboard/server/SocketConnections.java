package io.ballast.dashboard.server;

import io.netty.channel.Channel;
import java.util.LinkedHashMap;
import java.util.Map;

/** The connections that one listening socket accepted. Confined to the server's event loop. */
final class SocketConnections {

    private final Map<Channel, ConnectionGuard> guards = new LinkedHashMap<>();
    private boolean draining;

    void add(Channel connection, ConnectionGuard guard) {
        guards.put(connection, guard);
        connection.closeFuture().addListener(closed -> guards.remove(connection));
        if (draining) {
            guard.drain(connection);
        }
    }

    /** Closes the current connections after their pending response; later connections are not affected. */
    void drainCurrent() {
        Map.copyOf(guards).forEach((connection, guard) -> guard.drain(connection));
    }

    /** Closes current and future connections after their pending response. */
    void drainAll() {
        draining = true;
        Map.copyOf(guards).forEach((connection, guard) -> guard.drain(connection));
    }

    void close() {
        Map.copyOf(guards).keySet().forEach(Channel::close);
    }
}
