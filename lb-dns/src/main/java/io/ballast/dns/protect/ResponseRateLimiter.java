package io.ballast.dns.protect;

import io.ballast.core.net.IpAddress;

/**
 * Says of each response over UDP whether it may go to a client in full. A response beyond the limit costs its client
 * nothing further: only those that are sent count.
 *
 * <p>Thread safety: confined to one thread; make one for each, over the same {@link RateLimits}. Cost: four or five cells
 * of a fixed table, whatever was counted; takes no lock, allocates nothing.
 */
final class ResponseRateLimiter {

    /** What becomes of a response. */
    enum Verdict {
        SEND,
        /** Sent without its records, so that a client that is no forger comes back over TCP. */
        TRUNCATE,
        DROP
    }

    private final RateLimits limits;
    private final RateTable table;
    private final int[] cells = new int[RateLimits.MOST_PREFIXES];
    private final long[] keys = new long[RateLimits.MOST_PREFIXES];
    private final long[] loads = new long[RateLimits.MOST_PREFIXES];
    private int untilSlip;

    ResponseRateLimiter(RateLimits limits) {
        this.limits = limits;
        this.table = limits.table();
        this.untilSlip = limits.slip();
    }

    /**
     * Judges a response to an address whose halves are given as {@link IpAddress} has them.
     *
     * @param nowNanos of a clock that never goes back
     */
    Verdict judge(long high, long low, long nowNanos) {
        if (limits.isExempt(high, low) || count(high, low, RateTable.tick(nowNanos))) {
            return Verdict.SEND;
        }
        if (limits.slip() == 0) {
            return Verdict.DROP;
        }
        untilSlip--;
        if (untilSlip > 0) {
            return Verdict.DROP;
        }
        untilSlip = limits.slip();
        return Verdict.TRUNCATE;
    }

    /** Adds one response to all networks of an address unless one of them is at its limit. */
    private boolean count(long high, long low, int tick) {
        boolean ipv4 = IpAddress.isIpv4(high, low);
        int prefixes = RateLimits.prefixes(ipv4);
        for (int i = 0; i < prefixes; i++) {
            long key = limits.key(ipv4, i, high, low);
            int cell = table.find(key, tick);
            long load = table.load(cell, key, tick) + limits.price(ipv4, i);
            if (load > RateTable.CAPACITY) {
                return false;
            }
            keys[i] = key;
            cells[i] = cell;
            loads[i] = load;
        }
        for (int i = 0; i < prefixes; i++) {
            table.set(cells[i], keys[i], tick, loads[i]);
        }
        return true;
    }
}
