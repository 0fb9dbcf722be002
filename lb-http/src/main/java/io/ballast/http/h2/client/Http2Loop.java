package io.ballast.http.h2.client;

import io.ballast.http.exchange.ConnectionSource;
import io.ballast.http.h2.flow.FrameOutput;
import io.ballast.http.h2.wire.HeaderBlock;
import io.ballast.http.multiplex.MultiplexLoop;
import io.ballast.http.net.Worker;

/** HTTP/2 objects shared by the client connections of an event loop. Event-loop confined. */
public final class Http2Loop {

    final Worker worker;
    final MultiplexLoop streams;
    final HeaderBlock block = new HeaderBlock();
    final byte[] copyBuffer = new byte[FrameOutput.COPIED_BYTES];

    /** @param backends the source of connections to backends */
    public Http2Loop(Worker worker, ConnectionSource backends) {
        this.worker = worker;
        this.streams = new MultiplexLoop(worker, backends);
    }
}
