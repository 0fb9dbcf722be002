package io.ballast.http.h1.client;

import io.ballast.http.exchange.BackendSide;
import io.ballast.http.exchange.Exchange;
import io.ballast.http.forwarding.ClientAddress;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.relay.Failure;
import io.ballast.http.route.destination.PathRewriter;
import io.ballast.http.serving.HeaderContext;
import io.ballast.http.serving.RequestState;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Sends a client's request to a backend, with the backend's header changes. Event-loop confined. */
final class RequestRelay {

    private final ClientLoop loop;
    private final Exchange exchange;
    private final RequestState requestState;
    private final ClientAddress address;
    private final HeaderContext headerContext;
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
        this.requestState = served;
        this.address = address;
        this.headerContext = edits;
        this.body = body;
    }

    /**
     * Sends the request in the event loop's scanner. The body is the part already sent to another backend; if
     * there is none, it is the data received so far.
     *
     * @return the fault of the body, or null
     */
    @Nullable Failure send(BackendSide backend) {
        RequestScanner request = loop.request;
        PathRewriter rewrite = requestState.rewrite();
        if (rewrite != null) {
            request.rewrittenTarget = rewrite.rewrite(request, loop.routing);
        }
        request.upgrade = requestState.upgrade();
        headerContext.setBackend(exchange.backend());
        ByteBuf head = loop.requestWriter.write(
                request,
                address,
                headerContext.edits(),
                headerContext,
                exchange.backend(),
                body.bodyBytesWithHead(),
                loop.worker.allocator());
        if (!body.isOpen()) {
            backend.sendHead(head, head.readableBytes(), body.isInChunks());
            requestState.retryBuffer().sendAgain(backend);
            backend.endRequest();
            return null;
        }
        Failure fault = null;
        if (requestState.retryBuffer().hasStarted()) {
            backend.sendHead(head, head.readableBytes(), body.isInChunks());
            requestState.retryBuffer().sendAgain(backend);
        } else {
            requestState.retryBuffer().setMaxBytes(exchange.bodyBufferBytes());
            fault = body.sendWithHead(head, backend);
        }
        return fault == null ? body.resume() : fault;
    }
}
