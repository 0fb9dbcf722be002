package io.ballast.http.h1.client;

import io.ballast.http.head.RequestScanner;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.route.destination.Route;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.serving.LocalResponses;
import io.ballast.http.serving.RequestState;

/**
 * Answers requests that are not sent to a backend. The receive buffer begins with the request. Skips the body of a
 * request if it has been received completely; otherwise the connection must close. Event-loop confined.
 */
final class LocalAnswers {

    private final ReceiveBuffer receiveBuffer;
    private final RequestRelay requestRelay;
    private final KeepAlive keepAlive;
    private final LocalResponses responses;
    private final RequestState requestState;
    private final RouteScratch routing;

    LocalAnswers(
            ReceiveBuffer receiveBuffer,
            RequestRelay requestRelay,
            KeepAlive keepAlive,
            LocalResponses responses,
            RequestState requestState,
            RouteScratch routing) {
        this.receiveBuffer = receiveBuffer;
        this.requestRelay = requestRelay;
        this.keepAlive = keepAlive;
        this.responses = responses;
        this.requestState = requestState;
        this.routing = routing;
    }

    /** Answers a request as its policies have decided; returns whether the connection must close. */
    boolean answer(PolicyExchange evaluation, RequestScanner request) {
        boolean close = !mayFollow(request) || evaluation.answer().closes();
        responses.policy(evaluation, request, requestState, close);
        return close;
    }

    /** Answers a request whose route selects no pool; returns whether the connection must close. */
    boolean answer(Route route, RequestScanner request) {
        return responses.answer(route, request, routing, requestState, /* close= */ !mayFollow(request));
    }

    private boolean mayFollow(RequestScanner request) {
        receiveBuffer.skip(request.end);
        return keepAlive.isAllowed(requestRelay.skipIfComplete());
    }
}
