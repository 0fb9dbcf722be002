package io.ballast.http.h1.client;

import static java.util.Objects.requireNonNull;

import io.ballast.http.config.ListenerConfig;
import io.ballast.http.exchange.ConnectionSettings;
import io.ballast.http.exchange.Listener;
import io.ballast.http.forwarding.ClientAddress;
import io.ballast.http.head.HeadError;
import io.ballast.http.head.HeadLimits;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.ScanResult;
import io.ballast.http.header.RouteHeaderEdits;
import io.ballast.http.relay.Failure;
import io.ballast.http.route.destination.Redirection;
import io.ballast.http.route.destination.Route;
import io.ballast.http.serving.ClientDeadline;
import io.ballast.http.serving.ClientOutput;
import io.ballast.http.serving.ExchangeRecorder;
import io.ballast.http.serving.HeaderContext;
import io.ballast.http.serving.LocalResponses;
import io.ballast.http.serving.RequestState;
import io.ballast.net.config.ListenerTls;
import io.netty.buffer.ByteBuf;

/**
 * Reads request heads from the receive buffer, and answers each request locally or passes it to {@link Http1Session}.
 * Event-loop confined.
 */
final class RequestDispatcher {

    private final Http1Session cycle;
    private final ClientLoop loop;
    private final Listener listener;
    private final ConnectionSettings settings;
    private final ReceiveBuffer receiveBuffer;
    private final RequestReader reader;
    private final ClientOutput output;
    private final ClientDeadline deadline;
    private final ClientAddress address;
    private final RequestState served;
    private final HeaderContext edits;
    private final ExchangeRecorder recorder;
    private final LocalResponses responses;

    private boolean handling;

    RequestDispatcher(
            Http1Session cycle,
            ClientLoop loop,
            Listener listener,
            ConnectionSettings settings,
            ReceiveBuffer receiveBuffer,
            ClientOutput output,
            ClientDeadline deadline,
            ClientAddress address,
            RequestState served,
            HeaderContext edits,
            ExchangeRecorder recorder,
            LocalResponses responses) {
        ListenerConfig config = settings.config();
        this.cycle = cycle;
        this.loop = loop;
        this.listener = listener;
        this.settings = settings;
        this.receiveBuffer = receiveBuffer;
        this.reader = new RequestReader(
                loop,
                receiveBuffer,
                HeadLimits.of(config.limits()),
                config.underscores(),
                config.tls().isPresent());
        this.output = output;
        this.deadline = deadline;
        this.address = address;
        this.served = served;
        this.edits = edits;
        this.recorder = recorder;
        this.responses = responses;
    }

    /** Whether an incomplete head has been received. */
    boolean isInHead() {
        return reader.isInHead();
    }

    /** Whether a request is being handled now, so that the loop's scanner contains its head. */
    boolean isHandling() {
        return handling;
    }

    /** Scans this head again, because other connections may have used the loop's scanner since. */
    void showAgain(ByteBuf head) {
        reader.again(head);
    }

    /** Handles the received requests in sequence, until one has to wait for its backend. */
    void readRequests() {
        if (handling) {
            return; // re-entrant call: a response was ready at once
        }
        handling = true;
        try {
            boolean more = true;
            while (more && cycle.isBetweenRequests() && !receiveBuffer.isEmpty() && output.isWritable()) {
                more = readRequest();
            }
        } finally {
            handling = false;
        }
        if (cycle.isBetweenRequests() && !output.isWritable()) {
            output.reading(false); // until the client has read the pending output
        }
    }

    /** Handles the next request; false if it is incomplete or invalid. */
    private boolean readRequest() {
        boolean known = reader.isInHead();
        ScanResult result = reader.next();
        if (result == ScanResult.COMPLETE) {
            deadline.clear();
            begin(loop.request);
            return true;
        }
        if (result == ScanResult.REJECTED) {
            beginFaulty();
            responses.fault(
                    settings.plainHttp() == null ? requireNonNull(loop.request.fault) : HeadError.PLAIN_HTTP, served);
            cycle.endConnection();
        } else if (!known && reader.isInHead()) {
            recorder.headBegins();
            deadline.awaitHead();
        }
        return false;
    }

    /** Records the request of an incomplete or invalid head. */
    void beginFaulty() {
        reader.abandon();
        served.startFaulty();
        edits.start();
        recorder.beginFaulty(receiveBuffer.bytes());
    }

    /** Answers a plain HTTP request on a TLS listener, and ends the connection. */
    private void refusePlain(RequestScanner request, ListenerTls.PlainHttp how) {
        RouteHeaderEdits known = settings.headers().edits();
        edits.know(request, known);
        if (how == ListenerTls.PlainHttp.REDIRECT) {
            Route toHttps = new Route.Redirect(Redirection.toHttps(known.response()), known);
            responses.answer(toHttps, request, loop.routing, served, /* close= */ true);
        } else {
            responses.fault(HeadError.PLAIN_HTTP, served);
        }
        cycle.endConnection();
    }

    private void begin(RequestScanner request) {
        served.start(request);
        served.upgrade = UpgradeRequest.protocol(request, settings.upgrades());
        edits.start();
        recorder.begin(request);
        if (address.isBehindProxy()) {
            address.read(request);
        }
        if (settings.plainHttp() != null) {
            refusePlain(request, settings.plainHttp());
            return;
        }
        Route route = listener.settings().routes().find(request, address.bytes(), loop.routing);
        edits.know(request, route == null ? settings.headers().edits() : route.edits());
        if (request.contentLength > settings.config().limits().bodyBytes()) {
            // The body is not read, so the connection must end.
            responses.failure(Failure.REQUEST_TOO_LARGE, request, served, /* close= */ true);
            cycle.endConnection();
        } else if (route instanceof Route.ToPool to) {
            cycle.serve(to, request);
        } else {
            receiveBuffer.skip(request.end);
            boolean close = !cycle.mayGoOnWithoutBody();
            cycle.answered(responses.answer(route, request, loop.routing, served, close));
        }
    }
}
