package io.ballast.http.h3.client;

import io.ballast.http.exchange.ConnectionSource;
import io.ballast.http.multiplex.MultiplexLoop;
import io.ballast.http.net.Worker;

/** HTTP/3 objects shared by the client connections of an event loop. Event-loop confined. */
public final class Http3Loop {

    final Worker worker;
    final MultiplexLoop streams;
    final Http3Fields fields = new Http3Fields();

    /** @param backends the source of connections to backends */
    public Http3Loop(Worker worker, ConnectionSource backends) {
        this.worker = worker;
        this.streams = new MultiplexLoop(worker, backends);
    }
}
