package io.ballast.http;

import io.ballast.http.config.ListenerConfig;
import io.ballast.http.exchange.Listener;
import io.ballast.net.tls.ServerTls;
import java.util.stream.Stream;

/** A listener's clients with the port that accepts them. */
record RunningListener(FrontendPort<?> port, ListenerClients clients) {

    Listener listener() {
        return clients.listener();
    }

    /** Whether this listener has the same name, address and protocol as a configuration. */
    boolean matches(ListenerConfig other) {
        ListenerConfig config = listener().config();
        return config.name().equals(other.name())
                && config.bind().equals(other.bind())
                && config.protocol() == other.protocol();
    }

    /** The current TLS setup for client connections; empty without TLS. */
    Stream<ServerTls> tls() {
        return Stream.ofNullable(listener().settings().connections().tls());
    }

    /** Stops accepting connections, and closes each open connection after its next exchange. Does not wait. */
    void retire() {
        clients.retire();
        stopAccepting();
    }

    /** Stops accepting and closes idle connections; running exchanges continue. Does not wait. */
    void drain() {
        clients.drain();
        stopAccepting();
    }

    private void stopAccepting() {
        if (port.clients() == clients) {
            port.stopAccepting();
        }
    }

    /** Stops accepting, closes all connections, and waits until they are closed. */
    void close() {
        port.release(clients);
        clients.close();
    }
}
