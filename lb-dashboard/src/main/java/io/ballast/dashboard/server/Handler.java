package io.ballast.dashboard.server;

/** Answers the requests of one route. Runs on the event loop and must not block. */
@FunctionalInterface
public interface Handler {

    /** Returns the answer; a {@link Problem} thrown instead becomes a problem document. */
    Reply handle(Request request);
}
