package io.ballast.dashboard.access;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Slows logins that fail: the first {@value #FREE} of an address are free, then each has to wait for twice as long as the one
 * before, up to a minute. An address is forgotten when it has not tried for a quarter of an hour. IPv6 addresses count by
 * their /64. Confined to the dashboard's event loop.
 */
final class LoginThrottle {

    static final int FREE = 5;

    /** Most addresses that are known: the one that has not tried for longest makes room. */
    static final int MOST_ADDRESSES = 4096;

    static final Duration FIRST_WAIT = Duration.ofSeconds(1);
    static final Duration LONGEST_WAIT = Duration.ofMinutes(1);
    static final Duration MEMORY = Duration.ofMinutes(15);

    private static final int DOUBLINGS = 6;
    private static final int IPV6_NETWORK_BYTES = 8;

    private final Map<InetAddress, Failures> byAddress = new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<InetAddress, Failures> eldest) {
            return size() > MOST_ADDRESSES;
        }
    };

    private static final class Failures {
        private int count;
        private long lastNanos;
    }

    /** How long this address has to wait before it may try. */
    Duration waiting(InetAddress client, long nowNanos) {
        Failures failures = byAddress.get(network(client));
        if (failures == null || failures.count < FREE) {
            return Duration.ZERO;
        }
        long since = nowNanos - failures.lastNanos;
        if (since >= MEMORY.toNanos()) {
            return Duration.ZERO;
        }
        long wait = FIRST_WAIT.toNanos() << Math.min(failures.count - FREE, DOUBLINGS);
        return Duration.ofNanos(Math.max(0, Math.min(wait, LONGEST_WAIT.toNanos()) - since));
    }

    /** Counts an attempt as failed; those that run at the same time count too. */
    void attempt(InetAddress client, long nowNanos) {
        Failures failures = byAddress.computeIfAbsent(network(client), address -> new Failures());
        if (nowNanos - failures.lastNanos >= MEMORY.toNanos()) {
            failures.count = 0;
        }
        failures.count++;
        failures.lastNanos = nowNanos;
    }

    /** Takes one attempt back: it did not fail. Those that did stay, so that one good account does not pay for others. */
    void undo(InetAddress client) {
        Failures failures = byAddress.get(network(client));
        if (failures != null && --failures.count <= 0) {
            byAddress.remove(network(client));
        }
    }

    int addresses() {
        return byAddress.size();
    }

    private static InetAddress network(InetAddress client) {
        if (!(client instanceof Inet6Address)) {
            return client;
        }
        byte[] bytes = client.getAddress();
        Arrays.fill(bytes, IPV6_NETWORK_BYTES, bytes.length, (byte) 0);
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("16 octets are an address", e);
        }
    }
}
