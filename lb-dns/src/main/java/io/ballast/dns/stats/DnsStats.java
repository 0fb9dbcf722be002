package io.ballast.dns.stats;

import io.ballast.core.stats.Counters;
import java.util.EnumMap;
import java.util.Map;

/**
 * The counters of a DNS frontend, one shard for each thread that answers.
 *
 * <p>Thread safety: a shard has one writer; sums may be read by any thread.
 */
public final class DnsStats {

    private final Counters<DnsCounter> counters;

    /** @param shards how many threads answer */
    public DnsStats(int shards) {
        this.counters = new Counters<>(DnsCounter.class, shards);
    }

    /** The cells that answering thread {@code index} writes. */
    public Counters.Shard<DnsCounter> shard(int index) {
        return counters.shard(index);
    }

    /** The total of one counter. */
    public long sum(DnsCounter counter) {
        return counters.sum(counter);
    }

    /** The totals of all counters at about the same moment. */
    public Map<DnsCounter, Long> sums() {
        Map<DnsCounter, Long> sums = new EnumMap<>(DnsCounter.class);
        for (DnsCounter counter : DnsCounter.values()) {
            sums.put(counter, sum(counter));
        }
        return sums;
    }
}
