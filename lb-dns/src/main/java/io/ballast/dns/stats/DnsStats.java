package io.ballast.dns.stats;

import io.ballast.core.stats.Counters;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The counters of a DNS frontend, with one shard for each answering thread.
 *
 * <p>Thread safety: a shard has one writer; any thread may add a shard and read sums.
 */
public final class DnsStats {

    private final List<Counters<DnsCounter>> threads = new CopyOnWriteArrayList<>();

    /** @param shards number of answering threads at the start */
    public DnsStats(int shards) {
        for (int i = 0; i < shards; i++) {
            newShard();
        }
    }

    /** Returns the shard of the answering thread {@code index}. */
    public Counters.Shard<DnsCounter> shard(int index) {
        return threads.get(index).shard(0);
    }

    /** Adds a shard for another answering thread. */
    public Counters.Shard<DnsCounter> newShard() {
        Counters<DnsCounter> counters = new Counters<>(DnsCounter.class, /* shards= */ 1);
        threads.add(counters);
        return counters.shard(0);
    }

    /** The total of one counter. */
    public long sum(DnsCounter counter) {
        long sum = 0;
        for (Counters<DnsCounter> counters : threads) {
            sum += counters.sum(counter);
        }
        return sum;
    }

    /** The totals of all counters; not an atomic snapshot. */
    public Map<DnsCounter, Long> sums() {
        Map<DnsCounter, Long> sums = new EnumMap<>(DnsCounter.class);
        for (DnsCounter counter : DnsCounter.values()) {
            sums.put(counter, sum(counter));
        }
        return sums;
    }
}
