package io.ballast.agent.config;

import io.ballast.core.Checks;
import io.ballast.core.config.HostPort;
import io.ballast.net.config.ListenerTls;
import java.time.Duration;
import java.util.Optional;

/**
 * The address on which agents report to this node, and the times for which their reports are valid.
 *
 * @param bind the listen address
 * @param tls the certificate of this node; absent only for a loopback address
 * @param stale the time without a report after which the state in the last report no longer counts
 * @param forget the time without a report after which backends are removed, unless the checks of this node succeed
 * @param maxAgents the largest number of agents, including revoked ones
 * @param latency whether agents may report the round-trip times of clients
 */
public record AgentsConfig(
        HostPort bind, Optional<ListenerTls> tls, Duration stale, Duration forget, int maxAgents, boolean latency) {

    public static final Duration DEFAULT_STALE = Duration.ofSeconds(30);
    public static final Duration DEFAULT_FORGET = Duration.ofMinutes(5);
    public static final int DEFAULT_MAX_AGENTS = 2_000;
    public static final int LARGEST_MAX_AGENTS = 20_000;

    private static final Duration SHORTEST_STALE = Duration.ofSeconds(1);
    private static final Duration LONGEST_FORGET = Duration.ofDays(30);

    public AgentsConfig {
        Checks.that(
                stale.compareTo(SHORTEST_STALE) >= 0 && stale.compareTo(LONGEST_FORGET) <= 0,
                "stale",
                stale,
                "1s to 30d");
        Checks.that(
                forget.compareTo(stale) >= 0 && forget.compareTo(LONGEST_FORGET) <= 0,
                "forget",
                forget,
                "at least stale, at most 30d");
        Checks.between(maxAgents, 1, LARGEST_MAX_AGENTS, "max_agents");
    }

    /** Creates a configuration with the default times and limits. */
    public AgentsConfig(HostPort bind, Optional<ListenerTls> tls) {
        this(bind, tls, DEFAULT_STALE, DEFAULT_FORGET, DEFAULT_MAX_AGENTS, /* latency= */ false);
    }
}
