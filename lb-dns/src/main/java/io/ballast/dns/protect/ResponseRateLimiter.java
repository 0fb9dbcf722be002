package io.ballast.dns.protect;

import io.ballast.core.net.IpAddress;

/**
 * Decides for each UDP response whether it is sent in full. Only sent responses count, so dropped responses
 * do not extend the limitation.
 *
 * <p>Thread safety: confined to one thread; all threads' limiters share the {@link RateLimits}. Cost: four or
 * five cells of a fixed-size table; takes no lock, allocates nothing.
 */
final class ResponseRateLimiter {

    /** The verdict on a response. */
    enum Verdict {
        SEND,
        /** The response is sent without its records, so that a client that is not spoofed retries over TCP. */
        TRUNCATE,
        DROP
    }

    private final RateLimits limits;
    private final RateTable table;
    private final int[] cells = new int[RateLimits.MAX_PREFIXES];
    private final long[] keys = new long[RateLimits.MAX_PREFIXES];
    private final long[] loads = new long[RateLimits.MAX_PREFIXES];
    private int responsesUntilSlip;

    ResponseRateLimiter(RateLimits limits) {
        this.limits = limits;
        this.table = limits.table();
        this.responsesUntilSlip = limits.slip();
    }

    /**
     * Returns the verdict on a response to an address, whose halves are in the form of {@link IpAddress}.
     *
     * @param nowNanos time of a monotonic clock
     */
    Verdict evaluate(long high, long low, long nowNanos) {
        if (limits.isExempt(high, low) || count(high, low, RateTable.tick(nowNanos))) {
            return Verdict.SEND;
        }
        if (limits.slip() == 0) {
            return Verdict.DROP;
        }
        responsesUntilSlip--;
        if (responsesUntilSlip > 0) {
            return Verdict.DROP;
        }
        responsesUntilSlip = limits.slip();
        return Verdict.TRUNCATE;
    }

    /**
     * Counts one response for each network that contains the address, unless one of these networks has reached
     * its limit. Returns whether the response was counted.
     */
    private boolean count(long high, long low, int tick) {
        boolean ipv4 = IpAddress.isIpv4(high, low);
        int prefixes = RateLimits.prefixCount(ipv4);
        for (int i = 0; i < prefixes; i++) {
            long key = limits.key(ipv4, i, high, low);
            int cell = table.find(key, tick);
            long load = table.load(cell, key, tick) + limits.responseLoad(ipv4, i);
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
