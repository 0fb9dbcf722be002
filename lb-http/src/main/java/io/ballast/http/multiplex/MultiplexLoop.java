package io.ballast.http.multiplex;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.exchange.ConnectionSource;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.net.Worker;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.serving.RequestComposer;
import java.util.Arrays;

/**
 * Objects shared by the multiplexed connections of an event loop: scanners and writers; each handles one head at a time.
 * Event-loop confined.
 */
public final class MultiplexLoop {

    final Worker worker;
    final ConnectionSource backends;
    final Http1RequestHeadBuilder head = new Http1RequestHeadBuilder();
    final TrailerLines trailers = new TrailerLines();
    final RequestScanner request = new RequestScanner();
    final ResponseScanner response = new ResponseScanner();
    final ResponseHeadEncoder encoder = new ResponseHeadEncoder();
    final ByteAppender lines = new ByteAppender();
    final RouteScratch routing;
    final RequestComposer composer;
    private byte[] bytes = new byte[8 * 1024];

    /** @param backends the source of connections to backends */
    public MultiplexLoop(Worker worker, ConnectionSource backends) {
        this.worker = worker;
        this.backends = backends;
        this.routing = new RouteScratch(worker.random());
        this.composer = new RequestComposer(worker, request, routing);
    }

    public Worker worker() {
        return worker;
    }

    /** The builder of the head of the next request. */
    public Http1RequestHeadBuilder head() {
        return head;
    }

    /** The trailers of the request that has them now. */
    public TrailerLines trailers() {
        return trailers;
    }

    /** Returns a temporary array of at least {@code length} bytes. */
    byte[] bytes(int length) {
        if (bytes.length < length) {
            bytes = Arrays.copyOf(bytes, Math.max(length, 2 * bytes.length));
        }
        return bytes;
    }
}
