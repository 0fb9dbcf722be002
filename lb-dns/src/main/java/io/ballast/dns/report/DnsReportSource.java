package io.ballast.dns.report;

import io.ballast.core.stats.Metric;
import io.ballast.core.stats.Statistic;
import io.ballast.dns.DnsFrontend;
import io.ballast.dns.history.DnsHistory;
import io.ballast.dns.stats.DnsCounter;
import java.util.List;

/**
 * The objects from which the statistics read their values.
 *
 * @param history the history of the frontend's answers
 */
public record DnsReportSource(DnsFrontend frontend, DnsHistory history) {

    /** Returns the total of one counter. */
    public long sum(DnsCounter counter) {
        return frontend.stats().sum(counter);
    }

    /** Returns a statistic with one value for each of the counters. */
    static Statistic<DnsReportSource> counters(Metric metric, String field, DnsCounter... counters) {
        return Statistic.ofCounters(metric, field, List.of(counters), DnsReportSource::sum);
    }
}
