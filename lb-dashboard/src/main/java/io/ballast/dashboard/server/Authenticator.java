package io.ballast.dashboard.server;

/** Authenticates requests. Runs on the event loop and must not block. */
@FunctionalInterface
public interface Authenticator {

    /** Grants every caller all rights. */
    Authenticator OPEN = request -> Caller.TRUSTED;

    /** Returns the caller of a request, {@link Caller#UNKNOWN} if credentials are missing or wrong. */
    Caller identify(Request request);
}
