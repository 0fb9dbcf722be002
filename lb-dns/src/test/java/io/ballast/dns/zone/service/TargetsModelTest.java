package io.ballast.dns.zone.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendState;
import io.ballast.core.config.LatencyConfig;
import io.ballast.core.geo.GeoSource;
import io.ballast.core.geo.Regions;
import io.ballast.core.testing.ManualScheduler;
import io.ballast.dns.config.zone.ServiceConfig.Routing;
import io.ballast.dns.config.zone.TargetConfig;
import io.ballast.dns.config.zone.TargetConfig.OfPool;
import io.ballast.dns.config.zone.TargetConfig.OfRegions;
import io.ballast.dns.config.zone.TargetConfig.OfTargets;
import io.ballast.dns.config.zone.TargetConfig.Thresholds;
import io.ballast.dns.testing.AnswererClient;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.Routes;
import io.ballast.dns.testing.TestRegions;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.dns.zone.CompiledZones;
import io.ballast.dns.zone.ZoneInputs;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.xbill.DNS.Type;

/** Compares the answers of random targets with random health against a simple model of the rules. */
class TargetsModelTest {

    private static final long SEED = Long.getLong("ballast.seed", 1L);
    private static final int POOLS = 4;
    private static final int BACKENDS = 3;

    private static final List<String> REGIONS = List.of("r0", "r1", "r2");
    private static final List<Routing> OF_POOLS = List.of(
            Routing.ROUND_ROBIN, Routing.WEIGHTED, Routing.RANDOM, Routing.HASH, Routing.FAILOVER, Routing.LATENCY);
    private static final List<Routing> OF_TARGETS =
            List.of(Routing.ROUND_ROBIN, Routing.WEIGHTED, Routing.RANDOM, Routing.HASH, Routing.FAILOVER);

    private final ZoneFixture fixture = new ZoneFixture();
    private final Set<String> down = new HashSet<>();
    private final GeoSource geo = new TestRegions()
            .region("r0", "10.0.0.0/16", "r2")
            .region("r1", "10.1.0.0/16")
            .region("r2", "10.2.0.0/16")
            .open("r1", new ManualScheduler().controlPlane());

    @RepeatedTest(60)
    void matchesReferenceModel(RepetitionInfo repetition) {
        long seed = SEED * 1000 + repetition.getCurrentRepetition();
        Random random = new Random(seed);
        for (int pool = 0; pool < POOLS; pool++) {
            fixture.pool(
                    "p" + pool,
                    ZoneFixture.backend(host(pool, 0), 80, 1, 1),
                    ZoneFixture.backend(host(pool, 1), 80, 2, 0),
                    ZoneFixture.backend(host(pool, 2), 80, 3, 0));
        }
        TargetConfig target = random(random, 3);
        fixture.zone("example.com", Routes.service("app", target));
        AnswererClient client = new AnswererClient(
                CompiledZones.start(fixture.dns(), ZoneInputs.of(fixture.topology(), Optional.of(geo))));

        for (int round = 0; round < 30; round++) {
            toggle(random);
            int region = random.nextInt(REGIONS.size());
            client.from("10." + region + "." + random.nextInt(256) + ".1");
            Set<String> answer = new HashSet<>(Messages.answers(client.query("app.example.com", Type.A)));
            List<Set<String>> allowed = allowed(target, region);

            String about = "seed " + seed + ", " + target + " from " + region + ", down: " + down;
            if (allowed.isEmpty()) {
                assertThat(answer).as(about).isEqualTo(everything(target));
            } else {
                assertThat(answer).as(about).isNotEmpty();
                assertThat(allowed)
                        .as(about + ", answer: " + answer)
                        .anyMatch(addresses -> addresses.containsAll(answer));
            }
        }
    }

    private static String host(int pool, int backend) {
        return "192.0.2." + (10 * pool + backend + 1);
    }

    private void toggle(Random random) {
        for (int i = random.nextInt(8); i >= 0; i--) {
            int pool = random.nextInt(POOLS);
            String host = host(pool, random.nextInt(BACKENDS));
            boolean up = down.remove(host);
            if (!up) {
                down.add(host);
            }
            fixture.set("p" + pool, host, up ? BackendState.UP : BackendState.DOWN);
        }
    }

    private static TargetConfig random(Random random, int depth) {
        Thresholds thresholds = new Thresholds(1, random.nextInt(3) * 40);
        int kind = depth == 0 ? 0 : random.nextInt(4);
        if (kind == 0) {
            Routing routing = OF_POOLS.get(random.nextInt(OF_POOLS.size()));
            int answers = random.nextInt(4);
            return new OfPool("p" + random.nextInt(POOLS), routing, answers, thresholds, LatencyConfig.DEFAULT);
        }
        if (kind == 1) {
            Map<String, TargetConfig> regions = new LinkedHashMap<>();
            for (String region : REGIONS) {
                if (random.nextInt(3) > 0) {
                    regions.put(region, random(random, depth - 1));
                }
            }
            if (!regions.isEmpty()) {
                Optional<TargetConfig> otherwise =
                        random.nextBoolean() ? Optional.of(random(random, depth - 1)) : Optional.empty();
                return new OfRegions(regions, otherwise, thresholds);
            }
        }
        List<TargetConfig> targets = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            targets.add(random(random, depth - 1));
        }
        Routing routing = OF_TARGETS.get(random.nextInt(OF_TARGETS.size()));
        return new OfTargets(routing, targets, Optional.empty(), thresholds, LatencyConfig.DEFAULT);
    }

    /** Returns the possible address sets of an answer; none if no target is healthy. */
    private List<Set<String>> allowed(TargetConfig target, int region) {
        if (target instanceof OfPool pool) {
            Set<String> healthy = healthy(pool);
            return healthy.isEmpty() ? List.of() : List.of(healthy);
        }
        List<TargetConfig> preferred = preferred(target, region);
        List<Set<String>> allowed = new ArrayList<>();
        boolean first = target.routing() == Routing.FAILOVER || target.routing() == Routing.GEO;
        for (TargetConfig each : first && !preferred.isEmpty() ? preferred.subList(0, 1) : preferred) {
            allowed.addAll(allowed(each, region));
        }
        return allowed;
    }

    /** Returns the targets that are up, in order of preference. If none is up, returns the targets that can answer. */
    private List<TargetConfig> preferred(TargetConfig target, int region) {
        List<TargetConfig> order =
                target instanceof OfRegions regions ? order(regions, region) : new ArrayList<>(target.children());
        boolean anyUp = target.children().stream().anyMatch(this::isUp);
        order.removeIf(each -> anyUp ? !isUp(each) : count(each, /* healthyOnly= */ true) == 0);
        return order;
    }

    private List<TargetConfig> order(OfRegions target, int region) {
        Regions regions = geo.regions();
        List<TargetConfig> order = new ArrayList<>();
        boolean listed = target.regions().containsKey(REGIONS.get(region));
        if (!listed) {
            target.defaultTarget().ifPresent(order::add);
        }
        for (int next : regions.order(region)) {
            Optional.ofNullable(target.regions().get(regions.name(next))).ifPresent(order::add);
        }
        if (listed) {
            target.defaultTarget().ifPresent(order::add);
        }
        return order;
    }

    private boolean isUp(TargetConfig target) {
        int healthy = count(target, /* healthyOnly= */ true);
        int all = count(target, /* healthyOnly= */ false);
        return healthy > 0 && 100 * healthy >= target.thresholds().minHealthyPercent() * all;
    }

    private int count(TargetConfig target, boolean healthyOnly) {
        if (target instanceof OfPool pool) {
            Set<String> all = all(pool.pool());
            if (healthyOnly) {
                all.removeAll(down);
            }
            return all.size();
        }
        return target.children().stream()
                .mapToInt(each -> count(each, healthyOnly))
                .sum();
    }

    private Set<String> healthy(OfPool target) {
        Set<String> healthy = all(target.pool());
        healthy.removeAll(down);
        if (target.routing() == Routing.FAILOVER && healthy.size() > 1) {
            healthy.removeIf(host -> host.endsWith("1"));
        }
        return healthy;
    }

    private Set<String> everything(TargetConfig target) {
        Set<String> everything = new HashSet<>();
        target.pools().forEach(pool -> everything.addAll(all(pool)));
        return everything;
    }

    private static Set<String> all(String pool) {
        Set<String> all = new HashSet<>();
        for (int backend = 0; backend < BACKENDS; backend++) {
            all.add(host(Integer.parseInt(pool.substring(1)), backend));
        }
        return all;
    }
}
