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

    private final Http1Session session;
    private final ClientLoop loop;
    private final Listener listener;
    private final ConnectionSettings settings;
    private final ReceiveBuffer receiveBuffer;
    private final RequestReader reader;
    private final ClientOutput output;
    private final ClientDeadline deadline;
    private final ClientAddress address;
    private final RequestState requestState;
    private final HeaderContext headerContext;
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
        this.session = cycle;
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
        this.requestState = served;
        this.headerContext = edits;
        this.recorder = recorder;
        this.responses = responses;
    }

    /** Whether an incomplete head has been received. */
    boolean isInHead() {
        return reader.isInHead();
    }

    /** Whether a request is currently being handled, so that the loop's scanner contains its head. */
    boolean isHandling() {
        return handling;
    }

    /** Scans this head again, because other connections may have used the loop's scanner in between. */
    void rescan(ByteBuf head) {
        reader.rescan(head);
    }

    /** Handles the received requests in sequence, until one has to wait for its backend. */
    void readRequests() {
        if (handling) {
            return; // re-entrant call: a response was available immediately
        }
        handling = true;
        try {
            boolean more = true;
            while (more && session.isBetweenRequests() && !receiveBuffer.isEmpty() && output.isWritable()) {
                more = readRequest();
            }
        } finally {
            handling = false;
        }
        if (session.isBetweenRequests() && !output.isWritable()) {
            output.setReading(false); // resumes when the client has read the pending output
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
            recordInvalidRequest();
            responses.fault(
                    settings.plainHttp() == null ? requireNonNull(loop.request.fault) : HeadError.PLAIN_HTTP,
                    requestState);
            session.endConnection();
        } else if (!known && reader.isInHead()) {
            recorder.headBegins();
            deadline.awaitHead();
        }
        return false;
    }

    /** Records a request whose head is incomplete or invalid. */
    void recordInvalidRequest() {
        reader.abandon();
        requestState.startFaulty();
        headerContext.start();
        recorder.beginFaulty(receiveBuffer.bytes());
    }

    /** Answers a plain HTTP request on a TLS listener, and ends the connection. */
    private void refusePlain(RequestScanner request, ListenerTls.PlainHttp how) {
        RouteHeaderEdits known = settings.headers().edits();
        headerContext.setRequest(request, known);
        if (how == ListenerTls.PlainHttp.REDIRECT) {
            Route toHttps = new Route.Redirect(Redirection.toHttps(known.response()), known);
            responses.answer(toHttps, request, loop.routing, requestState, /* close= */ true);
        } else {
            responses.fault(HeadError.PLAIN_HTTP, requestState);
        }
        session.endConnection();
    }

    private void begin(RequestScanner request) {
        requestState.start(request);
        requestState.setUpgrade(UpgradeRequest.protocol(request, settings.upgrades()));
        headerContext.start();
        recorder.begin(request);
        if (address.isBehindProxy()) {
            address.read(request);
        }
        if (settings.plainHttp() != null) {
            refusePlain(request, settings.plainHttp());
            return;
        }
        Route route = listener.settings().routes().find(request, address.bytes(), loop.routing);
        headerContext.setRequest(request, route == null ? settings.headers().edits() : route.edits());
        if (request.contentLength > settings.config().limits().bodyBytes()) {
            // The body is not read, so the connection must end.
            responses.failure(Failure.REQUEST_TOO_LARGE, request, requestState, /* close= */ true);
            session.endConnection();
        } else if (route instanceof Route.ToPool to) {
            session.serve(to, request);
        } else {
            receiveBuffer.skip(request.end);
            boolean close = !session.mayContinueAfterLocalResponse();
            session.completeLocalResponse(responses.answer(route, request, loop.routing, requestState, close));
        }
    }
}
