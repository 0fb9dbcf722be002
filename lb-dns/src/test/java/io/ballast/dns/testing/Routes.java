package io.ballast.dns.testing;

import io.ballast.core.config.LatencyConfig;
import io.ballast.core.config.ServiceConfig;
import io.ballast.core.config.ServiceConfig.Routing;
import io.ballast.core.config.TargetConfig;
import io.ballast.core.config.TargetConfig.OfPool;
import io.ballast.core.config.TargetConfig.OfRegions;
import io.ballast.core.config.TargetConfig.OfTargets;
import io.ballast.core.config.TargetConfig.Thresholds;
import io.ballast.core.config.TtlConfig;
import io.ballast.core.config.WhenAllDown;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Targets of services, put together by tests. */
public final class Routes {

    private Routes() {}

    /** All healthy addresses of a pool in turn. */
    public static TargetConfig pool(String name) {
        return OfPool.of(name, Routing.ROUND_ROBIN, ServiceConfig.ALL);
    }

    public static TargetConfig pool(String name, Routing routing) {
        return OfPool.of(name, routing, routing.defaultAnswers());
    }

    /** A pool that counts as down when less of it is healthy. */
    public static TargetConfig pool(String name, int minHealthyPercent) {
        return new OfPool(
                name,
                Routing.ROUND_ROBIN,
                ServiceConfig.ALL,
                new Thresholds(1, minHealthyPercent),
                LatencyConfig.DEFAULT);
    }

    public static TargetConfig weighted(String pool, int weight) {
        return new OfPool(
                pool, Routing.ROUND_ROBIN, ServiceConfig.ALL, new Thresholds(weight, 0), LatencyConfig.DEFAULT);
    }

    public static TargetConfig among(Routing routing, TargetConfig... targets) {
        return new OfTargets(routing, List.of(targets), Optional.empty(), Thresholds.DEFAULT, LatencyConfig.DEFAULT);
    }

    public static TargetConfig nearest(
            LatencyConfig latency, Optional<TargetConfig> otherwise, TargetConfig... targets) {
        return new OfTargets(Routing.LATENCY, List.of(targets), otherwise, Thresholds.DEFAULT, latency);
    }

    public static TargetConfig regions(Map<String, TargetConfig> regions, Optional<TargetConfig> otherwise) {
        return new OfRegions(regions, otherwise, Thresholds.DEFAULT);
    }

    /** A service with the TTL of {@link World}. */
    public static ServiceConfig service(String name, TargetConfig target) {
        return service(name, target, WhenAllDown.ALL);
    }

    public static ServiceConfig service(String name, TargetConfig target, WhenAllDown whenAllDown) {
        return new ServiceConfig(name, target, TtlConfig.fixed(World.TTL), whenAllDown, Optional.empty());
    }
}
