package io.ballast.dashboard.access;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Delays logins after failures. The first {@value #FREE} attempts of an address are not delayed; then each attempt has
 * to wait twice as long as the previous one, up to {@link #LONGEST_WAIT}. An address is forgotten {@link #MEMORY} after
 * its last attempt.
 *
 * <p>IPv6 attempts count per /64 network, the usual assignment of one client, and per /48 network, since the owner of a
 * /48 has 65,536 networks of size /64. The first {@value #FREE_OF_SITE} attempts of a /48 are not delayed. Confined to
 * the dashboard's event loop.
 */
final class LoginThrottle {

    static final int FREE = 5;
    static final int FREE_OF_SITE = 20;

    /** Maximum number of tracked addresses and networks; the least recently used is evicted. */
    static final int MAX_ENTRIES = 4096;

    static final Duration FIRST_WAIT = Duration.ofSeconds(1);
    static final Duration LONGEST_WAIT = Duration.ofMinutes(1);
    static final Duration MEMORY = Duration.ofMinutes(15);

    private static final int DOUBLINGS = 6;
    private static final int CLIENT_BYTES = 8;
    private static final int SITE_BYTES = 6;

    private final Map<Counted, Failures> byAddress = new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Counted, Failures> eldest) {
            return size() > MAX_ENTRIES;
        }
    };

    /**
     * A key under which attempts are counted.
     *
     * @param address a client's address, or a network with the host bits set to zero
     * @param free number of attempts without a delay
     */
    private record Counted(InetAddress address, int free) {}

    private static final class Failures {
        private int count;
        private long lastNanos;
    }

    /** Returns how long this address has to wait before its next attempt; zero if it may try now. */
    Duration waiting(InetAddress client, long nowNanos) {
        return counted(client).stream()
                .map(each -> waiting(each, nowNanos))
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    private Duration waiting(Counted counted, long nowNanos) {
        Failures failures = byAddress.get(counted);
        if (failures == null || failures.count < counted.free()) {
            return Duration.ZERO;
        }
        long since = nowNanos - failures.lastNanos;
        if (since >= MEMORY.toNanos()) {
            return Duration.ZERO;
        }
        long wait = FIRST_WAIT.toNanos() << Math.min(failures.count - counted.free(), DOUBLINGS);
        return Duration.ofNanos(Math.max(0, Math.min(wait, LONGEST_WAIT.toNanos()) - since));
    }

    /** Counts an attempt as failed until {@link #undo}, so that parallel attempts count too. */
    void attempt(InetAddress client, long nowNanos) {
        for (Counted counted : counted(client)) {
            Failures failures = byAddress.computeIfAbsent(counted, each -> new Failures());
            if (nowNanos - failures.lastNanos >= MEMORY.toNanos()) {
                failures.count = 0;
            }
            failures.count++;
            failures.lastNanos = nowNanos;
        }
    }

    /**
     * Removes one attempt that succeeded. Earlier failures stay: a valid account must not reset the delay for guessing
     * others.
     */
    void undo(InetAddress client) {
        for (Counted counted : counted(client)) {
            Failures failures = byAddress.get(counted);
            if (failures != null && --failures.count <= 0) {
                byAddress.remove(counted);
            }
        }
    }

    int addresses() {
        return byAddress.size();
    }

    /** Returns the key of a client: its IPv4 address, or its IPv6 /64 network. */
    static InetAddress clientNetwork(InetAddress client) {
        return client instanceof Inet6Address ? network(client, CLIENT_BYTES) : client;
    }

    private static List<Counted> counted(InetAddress client) {
        return client instanceof Inet6Address
                ? List.of(
                        new Counted(clientNetwork(client), FREE),
                        new Counted(network(client, SITE_BYTES), FREE_OF_SITE))
                : List.of(new Counted(client, FREE));
    }

    private static InetAddress network(InetAddress client, int prefixBytes) {
        byte[] bytes = client.getAddress();
        Arrays.fill(bytes, prefixBytes, bytes.length, (byte) 0);
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of 16 bytes is valid", e);
        }
    }
}
