package io.ballast.dashboard.source;

import java.util.List;

/**
 * The counters of one node since the start of its process. Immutable.
 *
 * @param backends the counters of the node's backends; for each pool, backends with few requests may be combined into
 *     one sum
 * @param dnsQueries the DNS queries that the node received; 0 without DNS
 */
public record NodeSum(List<BackendSum> backends, long dnsQueries) {

    public NodeSum {
        backends = List.copyOf(backends);
    }
}
