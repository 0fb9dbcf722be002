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
 * Slows logins that fail: the first {@value #FREE} of an address are free, then each has to wait for twice as long as the one
 * before, up to a minute. An address is forgotten when it has not tried for a quarter of an hour. IPv6 addresses count by
 * their /64, since that is what one client has, and by their /48 too, of which the first {@value #FREE_OF_SITE} are free: who has
 * a site's network has 65,536 of the others. Confined to the dashboard's event loop.
 */
final class LoginThrottle {

    static final int FREE = 5;
    static final int FREE_OF_SITE = 20;

    /** Most addresses and networks that are known: the one that has not tried for longest makes room. */
    static final int MOST_ADDRESSES = 4096;

    static final Duration FIRST_WAIT = Duration.ofSeconds(1);
    static final Duration LONGEST_WAIT = Duration.ofMinutes(1);
    static final Duration MEMORY = Duration.ofMinutes(15);

    private static final int DOUBLINGS = 6;
    private static final int CLIENT_BYTES = 8;
    private static final int SITE_BYTES = 6;

    private final Map<Counted, Failures> byAddress = new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Counted, Failures> eldest) {
            return size() > MOST_ADDRESSES;
        }
    };

    /**
     * What attempts are counted of.
     *
     * @param address of a client or, with zeros behind it, of a network
     * @param free so many attempts need not wait
     */
    private record Counted(InetAddress address, int free) {}

    private static final class Failures {
        private int count;
        private long lastNanos;
    }

    /** How long this address has to wait before it may try. */
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

    /** Counts an attempt as failed; those that run at the same time count too. */
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

    /** Takes one attempt back: it did not fail. Those that did stay, so that one good account does not pay for others. */
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

    /** The address that stands for a client: its own, or its /64. */
    static InetAddress ofClient(InetAddress client) {
        return client instanceof Inet6Address ? network(client, CLIENT_BYTES) : client;
    }

    private static List<Counted> counted(InetAddress client) {
        return client instanceof Inet6Address
                ? List.of(new Counted(ofClient(client), FREE), new Counted(network(client, SITE_BYTES), FREE_OF_SITE))
                : List.of(new Counted(client, FREE));
    }

    private static InetAddress network(InetAddress client, int prefixBytes) {
        byte[] bytes = client.getAddress();
        Arrays.fill(bytes, prefixBytes, bytes.length, (byte) 0);
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("16 octets are an address", e);
        }
    }
}
