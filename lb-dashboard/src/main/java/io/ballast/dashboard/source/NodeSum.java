package io.ballast.dashboard.source;

import java.util.List;

/**
 * The counters of one node since the start of its process. Immutable.
 *
 * @param backends the counters of its backends; those with few requests may be one sum for each pool
 * @param dnsQueries the DNS queries that it received; 0 without DNS
 */
public record NodeSum(List<BackendSum> backends, long dnsQueries) {

    public NodeSum {
        backends = List.copyOf(backends);
    }
}
