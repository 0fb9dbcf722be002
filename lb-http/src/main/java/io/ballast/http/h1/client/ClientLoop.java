package io.ballast.http.h1.client;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.head.HeadBytes;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.net.Worker;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.serving.RequestComposer;

/**
 * The HTTP/1.1 client state of one event loop: a scanner and writers, each of which handles one head at a time.
 * Event-loop confined.
 */
public final class ClientLoop {

    final Worker worker;
    final HeadBytes requestBytes = new HeadBytes();
    final RequestScanner request = new RequestScanner();
    final ResponseHeadWriter responseWriter = new ResponseHeadWriter();
    final ByteAppender lines = new ByteAppender();
    final RouteScratch routing;
    final RequestComposer composer;

    public ClientLoop(Worker worker) {
        this.worker = worker;
        this.routing = new RouteScratch(worker.random());
        this.composer = new RequestComposer(worker, request, routing);
    }
}
