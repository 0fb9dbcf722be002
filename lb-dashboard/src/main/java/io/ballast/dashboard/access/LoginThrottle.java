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
 * Delays logins after failures. The first {@value #FREE_ATTEMPTS} attempts of an address are not delayed; then each attempt has
 * to wait twice as long as the previous one, up to {@link #LONGEST_WAIT}. An address is forgotten {@link #RETENTION} after
 * its last attempt.
 *
 * <p>IPv6 attempts count per /64 network, because one client usually has a /64, and per /48 network, because the owner
 * of a /48 has 65,536 networks of size /64. The first {@value #FREE_ATTEMPTS_OF_SITE} attempts of a /48 are not
 * delayed. Confined to one event loop.
 */
public final class LoginThrottle {

    static final int FREE_ATTEMPTS = 5;
    static final int FREE_ATTEMPTS_OF_SITE = 20;

    /** Maximum number of tracked addresses and networks; the least recently used is evicted. */
    static final int MAX_ENTRIES = 4096;

    static final Duration FIRST_WAIT = Duration.ofSeconds(1);
    static final Duration LONGEST_WAIT = Duration.ofMinutes(1);
    static final Duration RETENTION = Duration.ofMinutes(15);

    private static final int MAX_DOUBLINGS = 6;
    private static final int CLIENT_BYTES = 8;
    private static final int SITE_BYTES = 6;

    private final Map<Counted, Failures> failuresByKey = new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Counted, Failures> eldest) {
            return size() > MAX_ENTRIES;
        }
    };

    /**
     * A key under which attempts are counted.
     *
     * @param address a client's address, or a network with the host bits set to zero
     * @param freeAttempts number of attempts without a delay
     */
    private record Counted(InetAddress address, int freeAttempts) {}

    private static final class Failures {
        private int count;
        private long lastNanos;
    }

    /** Returns how long this address has to wait before its next attempt; zero if it may try now. */
    public Duration remainingWait(InetAddress client, long nowNanos) {
        return keysOf(client).stream()
                .map(each -> remainingWait(each, nowNanos))
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    private Duration remainingWait(Counted counted, long nowNanos) {
        Failures failures = failuresByKey.get(counted);
        if (failures == null || failures.count < counted.freeAttempts()) {
            return Duration.ZERO;
        }
        long since = nowNanos - failures.lastNanos;
        if (since >= RETENTION.toNanos()) {
            return Duration.ZERO;
        }
        long wait = FIRST_WAIT.toNanos() << Math.min(failures.count - counted.freeAttempts(), MAX_DOUBLINGS);
        return Duration.ofNanos(Math.max(0, Math.min(wait, LONGEST_WAIT.toNanos()) - since));
    }

    /**
     * Counts an attempt as failed until {@link #uncountAttempt} is called, so that parallel attempts also count.
     */
    public void countAttempt(InetAddress client, long nowNanos) {
        for (Counted counted : keysOf(client)) {
            Failures failures = failuresByKey.computeIfAbsent(counted, each -> new Failures());
            if (nowNanos - failures.lastNanos >= RETENTION.toNanos()) {
                failures.count = 0;
            }
            failures.count++;
            failures.lastNanos = nowNanos;
        }
    }

    /**
     * Removes one attempt that succeeded. Earlier failures stay: a client with a valid account must not be able
     * to reset the delay for guessing other passwords.
     */
    void uncountAttempt(InetAddress client) {
        for (Counted counted : keysOf(client)) {
            Failures failures = failuresByKey.get(counted);
            if (failures != null && --failures.count <= 0) {
                failuresByKey.remove(counted);
            }
        }
    }

    int trackedKeys() {
        return failuresByKey.size();
    }

    /** Returns the key of a client: its IPv4 address, or its IPv6 /64 network. */
    static InetAddress clientNetwork(InetAddress client) {
        return client instanceof Inet6Address ? network(client, CLIENT_BYTES) : client;
    }

    private static List<Counted> keysOf(InetAddress client) {
        return client instanceof Inet6Address
                ? List.of(
                        new Counted(clientNetwork(client), FREE_ATTEMPTS),
                        new Counted(network(client, SITE_BYTES), FREE_ATTEMPTS_OF_SITE))
                : List.of(new Counted(client, FREE_ATTEMPTS));
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
