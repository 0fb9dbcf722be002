package io.ballast.http.h1.client;

import io.ballast.http.exchange.ConnectionSettings;
import io.ballast.http.head.HeadError;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.header.RouteHeaderEdits;
import io.ballast.http.route.destination.Redirection;
import io.ballast.http.route.destination.Route;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.serving.HeaderContext;
import io.ballast.http.serving.LocalResponses;
import io.ballast.http.serving.RequestState;
import io.ballast.net.config.ListenerTls;

/** Answers a plain HTTP request on a TLS listener, with a redirect to HTTPS or an error. Event-loop confined. */
final class PlainHttpRefusal {

    private final ListenerTls.PlainHttp policy;
    private final RouteHeaderEdits edits;
    private final HeaderContext headerContext;
    private final LocalResponses responses;
    private final RequestState requestState;
    private final RouteScratch scratch;

    PlainHttpRefusal(
            ListenerTls.PlainHttp policy,
            ConnectionSettings settings,
            HeaderContext headerContext,
            LocalResponses responses,
            RequestState requestState,
            RouteScratch scratch) {
        this.policy = policy;
        this.edits = settings.headers().edits();
        this.headerContext = headerContext;
        this.responses = responses;
        this.requestState = requestState;
        this.scratch = scratch;
    }

    /** Answers the request. The caller ends the connection. */
    void refuse(RequestScanner request) {
        headerContext.setRequest(request, edits);
        if (policy == ListenerTls.PlainHttp.REDIRECT) {
            Route toHttps = new Route.Redirect(Redirection.toHttps(edits.response()), edits, null);
            responses.answer(toHttps, request, scratch, requestState, /* close= */ true);
        } else {
            responses.fault(HeadError.PLAIN_HTTP, requestState);
        }
    }
}
