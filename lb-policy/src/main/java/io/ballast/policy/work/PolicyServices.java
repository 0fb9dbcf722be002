package io.ballast.policy.work;

import io.ballast.http.trace.TraceSink;

/**
 * Other parts of the process that policies use.
 *
 * @param events reports changes of state to operators
 * @param locations finds the locations of clients
 * @param traces receives the traces of recorded requests
 */
public record PolicyServices(PolicyEvents events, PolicyLocations locations, TraceSink traces) {

    /** No events, locations and traces. */
    public static final PolicyServices NONE =
            new PolicyServices(PolicyEvents.NONE, PolicyLocations.NONE, TraceSink.NONE);

    public PolicyServices with(PolicyEvents other) {
        return new PolicyServices(other, locations, traces);
    }

    public PolicyServices with(PolicyLocations other) {
        return new PolicyServices(events, other, traces);
    }

    public PolicyServices with(TraceSink other) {
        return new PolicyServices(events, locations, other);
    }
}
