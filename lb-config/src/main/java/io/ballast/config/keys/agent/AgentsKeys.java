package io.ballast.config.keys.agent;

import io.ballast.agent.config.AgentsConfig;
import io.ballast.config.key.Addresses;
import io.ballast.config.key.Durations;
import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.dashboard.AdminTls;
import io.ballast.core.config.HostPort;
import io.ballast.net.config.ListenerTls;
import java.time.Duration;

/** The keys of {@code agents}. */
public final class AgentsKeys {

    private static final ShapeBuilder<AgentsConfig> KEYS = Shape.named(
            "agents", "Where agents report to this node. An agent runs next to backends, and reports their state.");

    private static final Key<HostPort> BIND = KEYS.required(
            "bind",
            Addresses.bind("agents"),
            "address on which agents report; they must be able to reach it",
            AgentsConfig::bind);
    private static final Key<ListenerTls> TLS = KEYS.optional(
            "tls",
            AdminTls.TLS,
            "certificate of this node, which agents verify; required unless bind is a loopback address",
            AgentsConfig::tls);
    private static final Key<Duration> STALE = KEYS.optional(
            "stale",
            Durations.DURATION,
            AgentsConfig.DEFAULT_STALE,
            "time without a report of an agent, from 1s to 30d, after which its last report no longer counts: the health"
                    + " checks of the pool decide, and a backend without checks is down",
            AgentsConfig::stale);
    private static final Key<Duration> FORGET = KEYS.optional(
            "forget",
            Durations.DURATION,
            AgentsConfig.DEFAULT_FORGET,
            "time without a report, at least stale, after which the backends of an agent are removed, unless the health"
                    + " checks of the pool succeed",
            AgentsConfig::forget);
    private static final Key<Integer> MAX_AGENTS = KEYS.optional(
            "max_agents",
            Scalars.integer(1, AgentsConfig.LARGEST_MAX_AGENTS),
            AgentsConfig.DEFAULT_MAX_AGENTS,
            "maximum number of registered agents; more are refused, unless another one has not reported for a week",
            AgentsConfig::maxAgents);

    private static final Key<Boolean> LATENCY = KEYS.optional(
            "latency",
            Scalars.BOOLEAN,
            false,
            "accepts the round-trip times of clients that agents report; DNS services with latency.learned use them",
            AgentsConfig::latency);

    public static final Type<AgentsConfig> AGENTS = KEYS.build(AgentsKeys::build);

    private AgentsKeys() {}

    private static AgentsConfig build(Values values) {
        AgentsConfig agents = new AgentsConfig(
                values.get(BIND),
                values.find(TLS),
                values.get(STALE),
                values.get(FORGET),
                values.get(MAX_AGENTS),
                values.get(LATENCY));
        if (agents.tls().isEmpty() && !values.isInvalid(TLS) && !Addresses.isLoopback(agents.bind())) {
            values.reading()
                    .error(
                            values.node(BIND),
                            "agents on other machines send secrets to this address (expected: agents.tls, or a loopback"
                                    + " address)");
        }
        return agents;
    }
}
