package io.ballast.http.h1.client;

import io.ballast.http.head.HeadBytes;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.net.Worker;
import io.ballast.http.octets.OctetBuffer;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.serving.RequestHeadWriter;

/**
 * What the client side needs once on each event loop: a scanner and writers, which are busy only while one head is
 * handled. Event-loop confined.
 */
public final class ClientLoop {

    final Worker worker;
    final HeadBytes requestBytes = new HeadBytes();
    final RequestScanner request = new RequestScanner();
    final RequestHeadWriter requestWriter = new RequestHeadWriter();
    final ResponseHeadWriter responseWriter = new ResponseHeadWriter();
    final OctetBuffer lines = new OctetBuffer();
    final RouteScratch routing;

    public ClientLoop(Worker worker) {
        this.worker = worker;
        this.routing = new RouteScratch(worker.random());
    }
}
