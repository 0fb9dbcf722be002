package io.ballast.server.compose;

import io.ballast.dns.history.DnsHistory;
import io.ballast.dns.history.QuerySample;
import io.ballast.dns.querylog.QueryListener;
import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Statistics of forwarded queries. They are kept for the lifetime of the process, even if reloads disable and
 * enable DNS.
 *
 * @param sample a sample of the queries of about the last second, for the live view of the dashboard
 */
record ForwarderStats(DnsHistory history, QuerySample sample) {

    /** The maximum number of sampled queries per second; a person cannot read more. */
    private static final int MAX_SAMPLED_PER_SECOND = 20;

    static ForwarderStats start(InstantSource clock) {
        return new ForwarderStats(
                new DnsHistory(clock), new QuerySample(MAX_SAMPLED_PER_SECOND, new SplittableRandom()));
    }

    /** Returns the listeners that receive the answered queries. */
    List<QueryListener> listeners() {
        return List.of(history, sample);
    }
}
