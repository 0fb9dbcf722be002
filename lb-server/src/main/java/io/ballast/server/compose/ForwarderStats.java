package io.ballast.server.compose;

import io.ballast.dns.history.DnsHistory;
import io.ballast.dns.history.QuerySample;
import io.ballast.dns.querylog.QueryListener;
import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What is counted and shown of the forwarder's queries. Lives as long as the process: DNS may come and go with reloads.
 *
 * @param sample of the queries of about a second, as the page shows them while they come
 */
record ForwarderStats(DnsHistory history, QuerySample sample) {

    /** More in a second are no longer read by anybody. */
    private static final int SAMPLE = 20;

    static ForwarderStats start(InstantSource clock) {
        return new ForwarderStats(new DnsHistory(clock), new QuerySample(SAMPLE, new SplittableRandom()));
    }

    /** What is to be told of queries. */
    List<QueryListener> listeners() {
        return List.of(history, sample);
    }
}
