package io.ballast.dns.stats;

import io.ballast.core.stats.Counters;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The counters of a DNS frontend, one shard for each thread that answers.
 *
 * <p>Thread safety: a shard has one writer; any thread may add one and read sums.
 */
public final class DnsStats {

    private final List<Counters<DnsCounter>> threads = new CopyOnWriteArrayList<>();

    /** @param shards how many threads answer from the start */
    public DnsStats(int shards) {
        for (int i = 0; i < shards; i++) {
            newShard();
        }
    }

    /** The cells that answering thread {@code index} writes. */
    public Counters.Shard<DnsCounter> shard(int index) {
        return threads.get(index).shard(0);
    }

    /** Adds the cells that one more answering thread writes. */
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

    /** The totals of all counters at about the same moment. */
    public Map<DnsCounter, Long> sums() {
        Map<DnsCounter, Long> sums = new EnumMap<>(DnsCounter.class);
        for (DnsCounter counter : DnsCounter.values()) {
            sums.put(counter, sum(counter));
        }
        return sums;
    }
}
