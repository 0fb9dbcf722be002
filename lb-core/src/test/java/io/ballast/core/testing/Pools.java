package io.ballast.core.testing;

import io.ballast.core.backend.Backend;
import io.ballast.core.balance.Member;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.HealthConfig;
import io.ballast.core.config.OutlierConfig;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.config.StrategyConfig;
import io.ballast.core.config.StrategyKind;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.Topology;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Creates pools from members, with round-robin and otherwise default settings. */
public final class Pools {

    /** No health checks: backends keep their state. */
    public static final HealthConfig UNCHECKED = new HealthConfig(
            new HealthCheck.None(),
            HealthConfig.DEFAULT_INTERVAL,
            HealthConfig.DEFAULT_TIMEOUT,
            HealthConfig.DEFAULT_RISE,
            HealthConfig.DEFAULT_FALL);

    private Pools() {}

    /** Returns TCP checks at this interval, with the default rise of 2 and fall of 3. */
    public static HealthConfig tcpEvery(Duration interval) {
        return new HealthConfig(
                new HealthCheck.Tcp(),
                interval,
                HealthConfig.DEFAULT_TIMEOUT,
                HealthConfig.DEFAULT_RISE,
                HealthConfig.DEFAULT_FALL);
    }

    /** Returns a pool of these backends, with weight 1 and priority 0. */
    public static Pool pool(String name, HealthConfig health, Backend... backends) {
        return pool(
                name,
                health,
                Stream.of(backends)
                        .map(backend -> new Member(backend, /* weight= */ 1, /* priority= */ 0))
                        .toList());
    }

    public static Pool pool(String name, HealthConfig health, List<Member> members) {
        return pool(name, StrategyKind.ROUND_ROBIN, health, members);
    }

    public static Pool pool(String name, StrategyKind strategy, HealthConfig health, List<Member> members) {
        return pool(name, strategy, health, OutlierConfig.DEFAULT, members);
    }

    /** Returns a pool with its own settings for the ejection of backends. */
    public static Pool pool(
            String name, StrategyKind strategy, HealthConfig health, OutlierConfig outlier, List<Member> members) {
        List<BackendConfig> backends = members.stream()
                .map(member -> new BackendConfig(member.backend().address(), member.weight(), member.priority()))
                .toList();
        return new Pool(
                PoolConfig.builder(name)
                        .strategy(StrategyConfig.of(strategy))
                        .backends(backends)
                        .health(health)
                        .outlier(outlier)
                        .build(),
                members,
                /* shards= */ 1);
    }

    /** A topology of these pools, with no frontend. */
    public static Topology topology(Pool... pools) {
        Map<String, Pool> byName = new LinkedHashMap<>();
        Map<String, PoolConfig> configs = new LinkedHashMap<>();
        for (Pool pool : pools) {
            byName.put(pool.name(), pool);
            configs.put(pool.name(), pool.config());
        }
        return new Topology(configs, byName);
    }
}
