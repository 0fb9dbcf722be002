package io.ballast.dashboard.config;

import io.ballast.core.Checks;
import java.time.Duration;
import java.util.List;

/**
 * The access control of the dashboard.
 *
 * @param users users with passwords
 * @param tokens tokens for programs; no login is required while there are neither users nor tokens
 * @param sessionLifetime the lifetime of a login
 * @param hosts allowed host names of requests, in addition to the addresses of the dashboard
 * @param insecure whether the dashboard may be served without login on addresses that other machines can reach
 */
public record DashboardAccess(
        List<DashboardUser> users,
        List<DashboardToken> tokens,
        Duration sessionLifetime,
        List<String> hosts,
        boolean insecure) {

    public static final Duration SHORTEST_LIFETIME = Duration.ofMinutes(1);
    public static final Duration LONGEST_LIFETIME = Duration.ofDays(30);

    /** No login; only local clients have access. */
    public static final DashboardAccess DEFAULT =
            new DashboardAccess(List.of(), List.of(), Duration.ofHours(12), List.of(), /* insecure= */ false);

    public DashboardAccess {
        users = List.copyOf(users);
        tokens = List.copyOf(tokens);
        hosts = List.copyOf(hosts);
        Checks.that(
                sessionLifetime.compareTo(SHORTEST_LIFETIME) >= 0 && sessionLifetime.compareTo(LONGEST_LIFETIME) <= 0,
                "session_lifetime",
                sessionLifetime,
                "1m to 30d");
    }

    /** Returns whether a login is required. */
    public boolean needsLogin() {
        return !users.isEmpty() || !tokens.isEmpty();
    }

    /** Whether the dashboard may be served on addresses that other machines can reach. */
    public boolean permitsOtherMachines() {
        return needsLogin() || insecure;
    }
}
