package io.ballast.dashboard.access;

import java.net.InetAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Addresses from which somebody has logged in lately, and those of this machine. IPv6 addresses count by their /64. At most
 * {@value #MOST} are remembered: the one that was used least lately makes room. Confined to the dashboard's event loop.
 */
final class KnownClients {

    static final int MOST = 1_024;
    static final Duration MEMORY = Duration.ofDays(7);

    private final Map<InetAddress, Long> lastLogins = new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<InetAddress, Long> eldest) {
            return size() > MOST;
        }
    };

    /** Somebody has logged in from there. */
    void loggedIn(InetAddress client, long nowNanos) {
        lastLogins.put(LoginThrottle.ofClient(client), nowNanos);
    }

    boolean isKnown(InetAddress client, long nowNanos) {
        if (client.isLoopbackAddress()) {
            return true;
        }
        Long last = lastLogins.get(LoginThrottle.ofClient(client));
        return last != null && nowNanos - last < MEMORY.toNanos();
    }
}
