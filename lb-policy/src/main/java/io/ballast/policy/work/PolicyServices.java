package io.ballast.policy.work;

import io.ballast.http.trace.TraceSink;
import io.ballast.policy.share.LimitExchange;

/**
 * Other parts of the process that policies use.
 *
 * @param events reports changes of state to operators
 * @param locations finds the locations of clients
 * @param traces receives the traces of recorded requests
 * @param limits divides limits among the nodes of a cluster
 */
public record PolicyServices(PolicyEvents events, PolicyLocations locations, TraceSink traces, LimitExchange limits) {

    /** The services of a process without events, locations, traces and a cluster. */
    public static final PolicyServices NONE =
            new PolicyServices(PolicyEvents.NONE, PolicyLocations.NONE, TraceSink.NONE, LimitExchange.NONE);

    public PolicyServices with(PolicyEvents other) {
        return new PolicyServices(other, locations, traces, limits);
    }

    public PolicyServices with(PolicyLocations other) {
        return new PolicyServices(events, other, traces, limits);
    }

    public PolicyServices with(TraceSink other) {
        return new PolicyServices(events, locations, other, limits);
    }

    public PolicyServices with(LimitExchange other) {
        return new PolicyServices(events, locations, traces, other);
    }
}
