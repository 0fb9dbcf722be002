package io.ballast.http.h2.client;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.exchange.ConnectionSource;
import io.ballast.http.h2.flow.FrameOutput;
import io.ballast.http.h2.wire.HeaderBlock;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.net.Worker;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.serving.RequestComposer;
import java.util.Arrays;

/**
 * HTTP/2 objects shared by the connections of an event loop: scanners and writers; each handles one head at a time.
 * Event-loop confined.
 */
public final class Http2Loop {

    final Worker worker;
    final ConnectionSource backends;
    final Http1RequestHeadBuilder head = new Http1RequestHeadBuilder();
    final TrailerLines trailers = new TrailerLines();
    final RequestScanner request = new RequestScanner();
    final ResponseScanner response = new ResponseScanner();
    final ResponseHeadEncoder encoder = new ResponseHeadEncoder();
    final HeaderBlock block = new HeaderBlock();
    final ByteAppender lines = new ByteAppender();
    final byte[] copyBuffer = new byte[FrameOutput.COPIED_BYTES];
    final RouteScratch routing;
    final RequestComposer composer;
    private byte[] bytes = new byte[8 * 1024];

    /** @param backends the source of connections to backends */
    public Http2Loop(Worker worker, ConnectionSource backends) {
        this.worker = worker;
        this.backends = backends;
        this.routing = new RouteScratch(worker.random());
        this.composer = new RequestComposer(worker, request, routing);
    }

    /** Returns a temporary array of at least {@code length} bytes. */
    byte[] bytes(int length) {
        if (bytes.length < length) {
            bytes = Arrays.copyOf(bytes, Math.max(length, 2 * bytes.length));
        }
        return bytes;
    }
}
