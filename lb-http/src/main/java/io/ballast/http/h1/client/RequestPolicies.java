package io.ballast.http.h1.client;

import static java.util.Objects.requireNonNull;

import io.ballast.http.exchange.ConnectionSettings;
import io.ballast.http.head.HeadError;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.policy.BackendRequest;
import io.ballast.http.policy.BodyRead;
import io.ballast.http.policy.PolicyChain;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.route.destination.Route;
import io.ballast.http.route.request.RoutedRequest;
import io.ballast.http.serving.ClientDeadline;
import io.ballast.http.serving.ClientOutput;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates the policies of a request before it is served. The policies may need time or the body of the request to
 * decide. Until they have decided, the receive buffer begins with the head of the request. Event-loop confined.
 */
final class RequestPolicies implements PolicyExchange.Owner {

    private final Http1Session session;
    private final ClientLoop loop;
    private final Http1ClientSide client;
    private final BodyReadAhead readAhead;

    /** The route of the request while its policies decide; null otherwise. */
    private @Nullable Route waitingRoute;

    RequestPolicies(
            Http1Session session,
            ClientLoop loop,
            Http1ClientSide client,
            ConnectionSettings settings,
            ClientOutput output,
            ClientDeadline deadline) {
        this.session = session;
        this.loop = loop;
        this.client = client;
        this.readAhead = new BodyReadAhead(
                loop.worker,
                client.receiveBuffer,
                output,
                deadline,
                settings.config().limits().bodyBytes());
    }

    /** Whether the policies of the current request have not decided yet. */
    boolean areDeciding() {
        return waitingRoute != null;
    }

    /** Whether a policy waits for the body of the request. */
    boolean areReadingBody() {
        return readAhead.isActive();
    }

    /** Returns the evaluation of the current request. */
    PolicyExchange evaluation() {
        return client.headerContext.policies(this);
    }

    /** Evaluates the policies. If the outcome is pending, {@link Http1Session#policiesDecided} is called later. */
    PolicyExchange.Outcome evaluate(PolicyChain chain, Route route, RequestScanner request) {
        PolicyExchange evaluation = evaluation();
        waitingRoute = route;
        PolicyExchange.Outcome outcome = evaluation.begin(chain, request, client.address.bytes());
        if (outcome != PolicyExchange.Outcome.PENDING) {
            stop();
        }
        return outcome;
    }

    /**
     * Stops waiting for the policies of the current request. The evaluation itself ends when the request is recorded.
     */
    void stop() {
        waitingRoute = null;
        readAhead.stop();
    }

    /** Handles data received while the policies decide; consumes it. */
    void received(ByteBuf received) {
        refuseIfFaulty(readAhead.receive(received));
    }

    /** Answers the request with an error if its body is invalid and its policies are waiting for the body. */
    private void refuseIfFaulty(@Nullable HeadError fault) {
        if (fault != null && session.state() == SessionState.POLICIES) {
            client.responses.fault(fault, client.requestState); // also ends the evaluation
            session.endConnection();
        }
    }

    // ---- Owner

    @Override
    public @Nullable BackendRequest composeRequest() {
        return waitingRoute instanceof Route.ToPool to
                ? loop.composer.compose(to, client.address, client.headerContext)
                : null;
    }

    @Override
    public void readBody(BodyRead read) {
        if (readAhead.begin(read, loop.request, client.requestState.body()) != null) {
            // runs later, when the evaluation has returned
            loop.worker.eventLoop().execute(() -> refuseIfFaulty(readAhead.fault()));
        }
    }

    @Override
    public RoutedRequest restoreRequest() {
        client.reader.rescan(client.receiveBuffer.bytes());
        return loop.request;
    }

    @Override
    public void policiesDecided(PolicyExchange.Outcome outcome) {
        Route route = requireNonNull(waitingRoute);
        stop();
        session.policiesDecided(outcome, route);
    }
}
