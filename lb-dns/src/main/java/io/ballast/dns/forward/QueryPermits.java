package io.ballast.dns.forward;

import io.ballast.core.net.IpAddress;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Permits for queries that wait for an answer, shared by all threads. Their number is limited. A client gets
 * another permit only while it holds no more permits than are free. A single client therefore holds at most
 * half of all permits, and two clients hold at most a third each. A client with few queries always gets a
 * permit. A network (/24 of IPv4, /64 of IPv6) may hold twice as many permits as a single client, which
 * limits clients with many addresses.
 *
 * <p>Clients are counted in {@value #CELLS} cells that a keyed hash selects. Clients in the same cell count
 * as one.
 *
 * <p>Thread safety: any thread may call it. Cost: three atomic operations, only for queries that have to
 * wait; allocates nothing.
 */
public final class QueryPermits {

    private static final int CELLS = 1 << 13;

    /** Number of permits of a network, as a multiple of the permits of a single address. */
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

    /** Changes the limit. Queries that are waiting keep their permits. */
    void setLimit(int limit) {
        max = limit;
    }

    /**
     * Acquires a permit for a client. Returns false if all permits are taken, or the client already holds its
     * share.
     *
     * @param high the upper half of the client's address, in the form of {@link IpAddress}
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
        return (int) (mixed >>> 51); // the upper 13 bits: the number of a cell
    }
}
