package io.ballast.http.h1.client;

import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.forwarding.ClientAddress;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.relay.Failure;
import io.ballast.http.serving.HeaderContext;
import io.ballast.http.serving.RequestState;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Sends a client's request to a backend, with the backend's header changes. Event-loop confined. */
final class RequestRelay {

    private final ClientLoop loop;
    private final Exchange exchange;
    private final RequestState served;
    private final ClientAddress address;
    private final HeaderContext edits;
    private final RequestBody body;

    RequestRelay(
            ClientLoop loop,
            Exchange exchange,
            RequestState served,
            ClientAddress address,
            HeaderContext edits,
            RequestBody body) {
        this.loop = loop;
        this.exchange = exchange;
        this.served = served;
        this.address = address;
        this.edits = edits;
        this.body = body;
    }

    /**
     * Sends the request in the event loop's scanner. The body is the part already sent to another backend, or else the
     * data received so far.
     *
     * @return the fault of the body, or null
     */
    @Nullable Failure send(BackendSide backend) {
        RequestScanner request = loop.request;
        if (served.rewrite != null) {
            request.rewritten = served.rewrite.rewrite(request, loop.routing);
        }
        request.upgrade = served.upgrade;
        edits.goesTo(exchange.backend());
        ByteBuf head = loop.requestWriter.write(
                request,
                address,
                edits.edits(),
                edits,
                exchange.backend(),
                body.joinableBytes(),
                loop.worker.allocator());
        if (!body.isOpen()) {
            backend.sendHead(head, head.readableBytes(), body.isInChunks());
            served.sent.sendAgain(backend);
            exchange.bodies().requestEnd();
            return null;
        }
        Failure fault = null;
        if (served.sent.hasStarted()) {
            backend.sendHead(head, head.readableBytes(), body.isInChunks());
            served.sent.sendAgain(backend);
        } else {
            served.sent.keepUpTo(exchange.bodyBufferBytes());
            fault = body.join(head, backend);
        }
        return fault == null ? body.resume() : fault;
    }
}
