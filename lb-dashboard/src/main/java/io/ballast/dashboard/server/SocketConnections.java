package io.ballast.dashboard.server;

import io.netty.channel.Channel;
import java.util.LinkedHashMap;
import java.util.Map;

/** The connections that came through one listening socket. Confined to the server's event loop. */
final class SocketConnections {

    private final Map<Channel, ConnectionGuard> open = new LinkedHashMap<>();
    private boolean retired;

    void add(Channel connection, ConnectionGuard guard) {
        open.put(connection, guard);
        connection.closeFuture().addListener(closed -> open.remove(connection));
        if (retired) {
            guard.retire(connection);
        }
    }

    /** Has those that there are end when they are answered; later ones stay. */
    void renew() {
        Map.copyOf(open).forEach((connection, guard) -> guard.retire(connection));
    }

    /** Has each of them end when it is answered. */
    void retire() {
        retired = true;
        Map.copyOf(open).forEach((connection, guard) -> guard.retire(connection));
    }

    void close() {
        Map.copyOf(open).keySet().forEach(Channel::close);
    }
}
