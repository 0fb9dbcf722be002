package io.ballast.net.clientlimit;

import java.net.InetAddress;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts and limits the open connections of each client, over all event loops. A client is an IPv4 address, or all IPv6
 * addresses with the same prefix.
 *
 * <p>Thread safety: any thread may call any method. Cost: one update of a concurrent map when a connection opens and
 * one when it closes; nothing for a request.
 */
public final class ConnectionsPerClient {

    private static final int BITS = 64;

    private volatile int limit;
    private final long highMask;
    private final long lowMask;
    private final ConcurrentHashMap<Client, Integer> open = new ConcurrentHashMap<>();

    /**
     * @param limit maximum number of connections of one client
     * @param ipv6PrefixBits the prefix length that identifies an IPv6 client; 1 to 128
     */
    public ConnectionsPerClient(int limit, int ipv6PrefixBits) {
        this.limit = limit;
        this.highMask = mask(Math.min(ipv6PrefixBits, BITS));
        this.lowMask = mask(Math.max(ipv6PrefixBits - BITS, 0));
    }

    private static long mask(int bits) {
        return bits == 0 ? 0 : -1L << (BITS - bits);
    }

    /** Sets the limit for future connections. */
    public void limit(int max) {
        limit = max;
    }

    /** Counts one more connection. If the client has reached the limit, returns false and does not count it. */
    public boolean admit(InetAddress address) {
        if (open.merge(client(address), 1, Integer::sum) <= limit) {
            return true;
        }
        release(address);
        return false;
    }

    /** Undoes one {@link #admit}. */
    public void release(InetAddress address) {
        open.computeIfPresent(client(address), (client, count) -> count == 1 ? null : count - 1);
    }

    /** The number of clients with open connections. */
    int clients() {
        return open.size();
    }

    private Client client(InetAddress address) {
        byte[] bytes = address.getAddress();
        return bytes.length == Integer.BYTES
                ? new Client(0, number(bytes, 0, Integer.BYTES), /* v6= */ false)
                : new Client(
                        number(bytes, 0, Long.BYTES) & highMask,
                        number(bytes, Long.BYTES, Long.BYTES) & lowMask,
                        /* v6= */ true);
    }

    private static long number(byte[] bytes, int from, int length) {
        long number = 0;
        for (int i = from; i < from + length; i++) {
            number = (number << Byte.SIZE) | (bytes[i] & 0xFF);
        }
        return number;
    }

    private record Client(long high, long low, boolean v6) {}
}
