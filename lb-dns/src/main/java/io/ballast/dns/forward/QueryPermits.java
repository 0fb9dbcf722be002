package io.ballast.dns.forward;

import io.ballast.core.net.IpAddress;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * QueryPermits for queries that wait for an answer, over all threads. There are only so many, and a client gets one
 * more only while it holds no more than are free: a single client holds at most half of them, two hold a third each,
 * and so on, so that a client that asks little always finds a place. A network (/24 of IPv4, /64 of IPv6) gets twice as
 * many, against clients with many addresses.
 *
 * <p>Clients are counted in {@value #CELLS} cells that a keyed hash chooses: clients that share one count as one.
 *
 * <p>Thread safety: any thread may call it. Cost: three atomic operations, for queries that have to wait anyway;
 * allocates nothing.
 */
public final class QueryPermits {

    private static final int CELLS = 1 << 13;

    /** Additional permits of a network compared with a single address. */
    private static final int NETWORK_FACTOR = 2;

    private static final long IPV4_NETWORK = ~0xFFL;
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    private final AtomicInteger inUse = new AtomicInteger();
    private final AtomicIntegerArray byAddress = new AtomicIntegerArray(CELLS);
    private final AtomicIntegerArray byNetwork = new AtomicIntegerArray(CELLS);
    private final long key = new SecureRandom().nextLong();
    private volatile int max;

    public QueryPermits(int max) {
        this.max = max;
    }

    /** Another limit holds from now on; queries that wait go on waiting. */
    void setLimit(int limit) {
        max = limit;
    }

    /**
     * Takes one; false if all are taken, or the client holds its share.
     *
     * @param high the upper half of the client's address, as {@link IpAddress} has it
     * @param low the lower half
     */
    public boolean tryAcquire(long high, long low) {
        int share = max - inUse.incrementAndGet() + 1;
        int held = byAddress.incrementAndGet(addressCell(high, low));
        int heldByNetwork = byNetwork.incrementAndGet(networkCell(high, low));
        if (held <= share && heldByNetwork <= (long) NETWORK_FACTOR * share) {
            return true;
        }
        release(high, low);
        return false;
    }

    /** Releases a permit of a client. */
    public void release(long high, long low) {
        byNetwork.decrementAndGet(networkCell(high, low));
        byAddress.decrementAndGet(addressCell(high, low));
        inUse.decrementAndGet();
    }

    /** Number of permits in use. */
    public int inUse() {
        return inUse.get();
    }

    private int addressCell(long high, long low) {
        return cell(high, low);
    }

    private int networkCell(long high, long low) {
        return cell(high, IpAddress.isIpv4(high, low) ? low & IPV4_NETWORK : 0);
    }

    private int cell(long high, long low) {
        long mixed = (high ^ key) * MULTIPLIER;
        mixed = (mixed ^ mixed >>> 32 ^ low) * MULTIPLIER;
        mixed = (mixed ^ mixed >>> 29 ^ key) * MULTIPLIER;
        return (int) (mixed >>> 51); // as many bits as there are cells
    }
}
