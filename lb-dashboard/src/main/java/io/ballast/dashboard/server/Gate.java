package io.ballast.dashboard.server;

/** Says who sent a request. Runs on the event loop and must not block. */
@FunctionalInterface
public interface Gate {

    /** Lets everybody do everything. */
    Gate OPEN = request -> Caller.TRUSTED;

    /** Returns {@link Caller#UNKNOWN} for one without proof, or with a wrong one. */
    Caller identify(Request request);
}
