package io.ballast.http;

import io.ballast.http.config.ListenerConfig;
import io.ballast.http.exchange.Listener;
import io.ballast.net.tls.ServerTls;
import java.util.stream.Stream;

/** A listener with the port where its clients come in. */
record RunningListener(FrontendPort<?> port, Clients clients) {

    Listener listener() {
        return clients.listener();
    }

    /** Whether it is the one of a configuration: of the same name, address and protocol. */
    boolean isOf(ListenerConfig other) {
        ListenerConfig config = listener().config();
        return config.name().equals(other.name())
                && config.bind().equals(other.bind())
                && config.protocol() == other.protocol();
    }

    /** By which its clients come in now; nothing without TLS. */
    Stream<ServerTls> tls() {
        return Stream.ofNullable(listener().settings().connections().tls());
    }

    /** Takes no new clients, and tells those that are there to close with their next exchange. Does not wait. */
    void retire() {
        clients.retire();
        stopAccepting();
    }

    /** Takes no new clients, and closes connections that are unused; what runs goes on. Does not wait. */
    void drain() {
        clients.drain();
        stopAccepting();
    }

    private void stopAccepting() {
        if (port.clients() == clients) {
            port.stopAccepting();
        }
    }

    /** Takes no new clients, ends what runs, and waits for it. */
    void close() {
        port.leave(clients);
        clients.close();
    }
}
