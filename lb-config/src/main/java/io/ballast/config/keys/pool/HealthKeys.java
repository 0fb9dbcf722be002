package io.ballast.config.keys.pool;

import io.ballast.config.key.Durations;
import io.ballast.config.key.Key;
import io.ballast.config.key.Networks;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.core.Checks;
import io.ballast.core.config.CheckAddress;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.HealthConfig;
import io.ballast.core.config.vote.Quorum;
import io.ballast.core.config.vote.VotingConfig;
import io.ballast.core.net.IpAddress;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/** The keys of {@code pools.NAME.health}. */
public final class HealthKeys {

    private static final ShapeBuilder<HealthConfig> KEYS = Shape.named("health", "Health checks of a pool's backends.");

    private static final CheckKeys CHECK = new CheckKeys(KEYS);

    private static final Key<Integer> PORT = KEYS.optional(
            "port",
            Scalars.integer(1, 65535),
            "port for the checks of all backends; each backend's own port by default",
            health -> health.at().port().stream().boxed().findFirst());
    private static final Key<IpAddress> ADDRESS = KEYS.optional(
            "address",
            Networks.ADDRESS,
            "address for the checks of all backends; each backend's own address by default",
            health -> health.at().address());
    private static final Key<Duration> INTERVAL = KEYS.optional(
            "interval",
            Durations.DURATION,
            HealthConfig.DEFAULT_INTERVAL,
            "time from the end of one check to the start of the next",
            HealthConfig::interval);
    private static final Key<Duration> FAST_INTERVAL = KEYS.optional(
            "fast_interval",
            Durations.DURATION,
            HealthConfig.DEFAULT_FAST_INTERVAL,
            "interval while results contradict the current state; once a backend is down it is doubled after"
                    + " each check, up to interval; must not exceed interval",
            HealthConfig::fastInterval);
    private static final Key<Duration> TIMEOUT = KEYS.optional(
            "timeout",
            Durations.DURATION,
            HealthConfig.DEFAULT_TIMEOUT,
            "maximum time for one check in total: connect, write and read",
            HealthConfig::timeout);
    private static final Key<Integer> RISE = KEYS.optional(
            "rise",
            Scalars.integer(1, HealthConfig.MAX_STREAK),
            HealthConfig.DEFAULT_RISE,
            "consecutive successes that bring a backend up",
            HealthConfig::rise);
    private static final Key<Integer> FALL = KEYS.optional(
            "fall",
            Scalars.integer(1, HealthConfig.MAX_STREAK),
            HealthConfig.DEFAULT_FALL,
            "consecutive failures that take a backend down",
            HealthConfig::fall);

    private static final Key<Boolean> LAZY = KEYS.optional(
            "lazy",
            Scalars.BOOLEAN,
            HealthConfig.DEFAULT.lazy(),
            "true: after a first check, a backend that is up is checked only when its requests fail,"
                    + " as defined by outlier",
            HealthConfig::lazy);

    private static final Key<Quorum> QUORUM = KEYS.optional(
            "quorum",
            Scalars.matchingOrNumber(
                            "local, majority, any, all, number 1.." + Quorum.MAX_NODES,
                            "local, majority, any, all, or a number of nodes from 1 to " + Quorum.MAX_NODES,
                            "local|majority|any|all|[1-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-6]")
                    .map(Quorum::of, Quorum::toString),
            "in a cluster: how many of the nodes that check a backend must reach it; local: each node decides by its own"
                    + " checks; majority by default with voters or if only DNS uses the pool, otherwise local",
            health -> health.voting().quorum());
    private static final Key<Integer> VOTERS = KEYS.optional(
            "voters",
            Scalars.integer(VotingConfig.ALL_NODES, Quorum.MAX_NODES),
            VotingConfig.DEFAULT.voters(),
            "in a cluster: the number of nodes that check each backend; the others use their results; 0: all nodes check",
            health -> health.voting().voters());

    public static final Type<HealthConfig> HEALTH = KEYS.build(HealthKeys::build);

    private HealthKeys() {}

    private static HealthConfig build(Values values) {
        HealthCheck check = CHECK.build(values);
        return new HealthConfig(
                check,
                values.get(INTERVAL),
                fastInterval(values),
                values.get(TIMEOUT),
                values.get(RISE),
                values.get(FALL),
                checkAddress(values, check),
                lazy(values, check),
                CHECK.proxyHeader(values),
                voting(values, check));
    }

    private static VotingConfig voting(Values values, HealthCheck check) {
        Checks.that(
                !(check instanceof HealthCheck.None)
                        || (!values.has(QUORUM) && values.get(VOTERS) == VotingConfig.ALL_NODES),
                values.has(QUORUM) ? QUORUM.name() : VOTERS.name(),
                "",
                "not set with type none, which runs no checks");
        return new VotingConfig(values.find(QUORUM), values.get(VOTERS));
    }

    private static boolean lazy(Values values, HealthCheck check) {
        Checks.that(
                !(check instanceof HealthCheck.None) || !values.get(LAZY),
                LAZY.name(),
                "",
                "not set with type none, which runs no checks");
        return values.get(LAZY);
    }

    private static Duration fastInterval(Values values) {
        Duration interval = values.get(INTERVAL);
        Duration fallback = HealthConfig.defaultFastInterval(interval);
        if (!values.has(FAST_INTERVAL)) {
            return fallback;
        }
        Duration given = values.get(FAST_INTERVAL);
        if (given.compareTo(interval) > 0 && !values.isInvalid(INTERVAL)) {
            values.reading().mismatch(values.node(FAST_INTERVAL), "at most interval");
        }
        return given.compareTo(interval) > 0 ? fallback : given;
    }

    private static CheckAddress checkAddress(Values values, HealthCheck check) {
        for (Key<?> key : List.of(PORT, ADDRESS)) {
            Checks.that(
                    !(check instanceof HealthCheck.None) || !values.has(key),
                    key.name(),
                    "",
                    "not set with type none, which runs no checks");
        }
        OptionalInt port = values.find(PORT).map(OptionalInt::of).orElse(OptionalInt.empty());
        return new CheckAddress(values.find(ADDRESS), port);
    }
}
