package io.ballast.dashboard.server;

/** Answers the requests of one route. Runs on the event loop and must not block. */
@FunctionalInterface
public interface Handler {

    /** Returns the response. A thrown {@link HttpProblem} is sent as a problem document. */
    AdminResponse handle(Request request);
}
