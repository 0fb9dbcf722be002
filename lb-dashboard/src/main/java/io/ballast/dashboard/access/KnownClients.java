package io.ballast.dashboard.access;

import java.net.InetAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Addresses with a recent successful login; loopback addresses are always known. IPv6 addresses are grouped by /64
 * network. Holds at most {@value #MAX_CLIENTS} entries; the least recently used entry is evicted. Confined to the
 * dashboard's event loop.
 */
final class KnownClients {

    static final int MAX_CLIENTS = 1_024;
    static final Duration RETENTION = Duration.ofDays(7);

    private final Map<InetAddress, Long> lastLogins = new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<InetAddress, Long> eldest) {
            return size() > MAX_CLIENTS;
        }
    };

    /** Records a successful login. */
    void recordLogin(InetAddress client, long nowNanos) {
        lastLogins.put(LoginThrottle.clientNetwork(client), nowNanos);
    }

    boolean isKnown(InetAddress client, long nowNanos) {
        if (client.isLoopbackAddress()) {
            return true;
        }
        Long last = lastLogins.get(LoginThrottle.clientNetwork(client));
        return last != null && nowNanos - last < RETENTION.toNanos();
    }
}
