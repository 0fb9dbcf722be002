package io.ballast.dns.testing;

import io.ballast.core.config.HostPort;
import io.ballast.core.config.LatencyConfig;
import io.ballast.dns.config.zone.ServiceConfig;
import io.ballast.dns.config.zone.ServiceConfig.Routing;
import io.ballast.dns.config.zone.ServiceType;
import io.ballast.dns.config.zone.TargetConfig;
import io.ballast.dns.config.zone.TargetConfig.ConditionalRecord;
import io.ballast.dns.config.zone.TargetConfig.OfName;
import io.ballast.dns.config.zone.TargetConfig.OfPool;
import io.ballast.dns.config.zone.TargetConfig.OfRecords;
import io.ballast.dns.config.zone.TargetConfig.OfRegions;
import io.ballast.dns.config.zone.TargetConfig.OfTargets;
import io.ballast.dns.config.zone.TargetConfig.Thresholds;
import io.ballast.dns.config.zone.TtlConfig;
import io.ballast.dns.config.zone.WhenAllDown;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Service targets for tests. */
public final class Routes {

    private Routes() {}

    /** Returns a target that answers with all healthy addresses of a pool in rotating order. */
    public static TargetConfig pool(String name) {
        return OfPool.of(name, Routing.ROUND_ROBIN, ServiceConfig.ALL);
    }

    public static TargetConfig pool(String name, Routing routing) {
        return OfPool.of(name, routing, routing.defaultAnswers());
    }

    /** Returns a target that is down if less than this percentage of the pool is healthy. */
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

    /** Returns a target that answers with the addresses of a name outside the zones. */
    public static TargetConfig alias(String name) {
        return new OfName(name, Thresholds.DEFAULT);
    }

    /** Returns a record that does not depend on health. */
    public static ConditionalRecord always(String data) {
        return new ConditionalRecord(data, Optional.empty(), Optional.empty());
    }

    /** Returns a record that is active while a backend of the pool is healthy. */
    public static ConditionalRecord onPool(String data, String pool) {
        return new ConditionalRecord(data, Optional.of(pool), Optional.empty());
    }

    /** Returns a record that is active while the backend {@code host} of the pool is healthy. */
    public static ConditionalRecord onBackend(String data, String pool, String host) {
        return new ConditionalRecord(data, Optional.of(pool), Optional.of(new HostPort(host, 80)));
    }

    /** Returns a target that answers with several records together. */
    public static TargetConfig records(ConditionalRecord... records) {
        return new OfRecords(List.of(records), Thresholds.DEFAULT);
    }

    /** Returns a service of configured records with the TTL of {@link ZoneFixture}. */
    public static ServiceConfig service(String name, ServiceType type, TargetConfig target) {
        return service(name, type, target, WhenAllDown.ALL);
    }

    public static ServiceConfig service(String name, ServiceType type, TargetConfig target, WhenAllDown whenAllDown) {
        return new ServiceConfig(
                name, type, target, TtlConfig.fixed(ZoneFixture.TTL), whenAllDown, Optional.empty(), List.of());
    }

    /** Returns a service with the TTL of {@link ZoneFixture}. */
    public static ServiceConfig service(String name, TargetConfig target) {
        return service(name, target, WhenAllDown.ALL);
    }

    public static ServiceConfig service(String name, TargetConfig target, WhenAllDown whenAllDown) {
        return new ServiceConfig(name, target, TtlConfig.fixed(ZoneFixture.TTL), whenAllDown, Optional.empty());
    }
}
