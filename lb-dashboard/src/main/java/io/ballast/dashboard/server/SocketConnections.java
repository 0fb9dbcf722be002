package io.ballast.dashboard.server;

import io.netty.channel.Channel;
import java.util.LinkedHashMap;
import java.util.Map;

/** The connections that one listening socket accepted. Confined to the server's event loop. */
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

    /** Closes the current connections after their pending response; later connections are not affected. */
    void renew() {
        Map.copyOf(open).forEach((connection, guard) -> guard.retire(connection));
    }

    /** Closes current and future connections after their pending response. */
    void retire() {
        retired = true;
        Map.copyOf(open).forEach((connection, guard) -> guard.retire(connection));
    }

    void close() {
        Map.copyOf(open).keySet().forEach(Channel::close);
    }
}
