package io.ballast.server.agent;

import io.ballast.agent.node.NodeBackends;
import io.ballast.agent.registry.AgentBackends;
import io.ballast.agent.registry.BackendKey;
import io.ballast.config.BallastConfig;
import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.backend.StateOverride;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.config.agent.PoolAgents;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.pool.Topology;
import io.ballast.dashboard.source.DnsServices.RoundTrip;
import io.ballast.discovery.source.DiscoveredBackend;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives agents access to the pools of this process. Thread-safe. */
final class NodePools implements NodeBackends {

    private static final Logger LOG = LoggerFactory.getLogger(NodePools.class);

    private final ControlPlane control;
    private final Supplier<BallastConfig> config;
    private final Supplier<Topology> topology;
    private final AgentReports reports;
    private final Consumer<List<RoundTrip>> latency;
    private final Map<String, AgentSource> sources = new ConcurrentHashMap<>();
    private volatile AgentBackends current = AgentBackends.NONE;
    private volatile boolean hasBackends;
    private volatile Index index = Index.NONE;

    /** The backends of one topology, by pool and address. */
    private record Index(@Nullable Topology topology, Map<BackendKey, Backend> backends) {

        static final Index NONE = new Index(null, Map.of());
    }

    /**
     * @param config supplies the active configuration
     * @param latency receives the round-trip times of clients
     */
    NodePools(
            ControlPlane control,
            Supplier<BallastConfig> config,
            Supplier<Topology> topology,
            AgentReports reports,
            Consumer<List<RoundTrip>> latency) {
        this.latency = latency;
        this.control = control;
        this.config = config;
        this.topology = topology;
        this.reports = reports;
    }

    /** Returns the source of the backends that agents add to a pool. */
    AgentSource source(String pool) {
        AgentSource source = new AgentSource(closed -> sources.remove(pool, closed));
        sources.put(pool, source);
        if (hasBackends) {
            source.report(discovered(current, pool));
        }
        return source;
    }

    @Override
    public Map<String, PoolAgents> pools() {
        Map<String, PoolAgents> all = new LinkedHashMap<>();
        config.get().pools().forEach((name, pool) -> pool.agents().ifPresent(agents -> all.put(name, agents)));
        return all;
    }

    @Override
    public boolean checksSucceed(BackendKey key) {
        PoolConfig pool = config.get().pools().get(key.pool());
        Backend backend = backend(key);
        return pool != null
                && backend != null
                && !(pool.health().check() instanceof HealthCheck.None)
                && backend.health().lastCheck().ok()
                && backend.health().state() != BackendState.DOWN;
    }

    @Override
    public String wanted(BackendKey key) {
        Backend backend = backend(key);
        BackendState state = backend == null
                ? BackendState.UP
                : backend.stateOverride()
                        .map(StateOverride::kind)
                        .map(StateOverride.Kind::state)
                        .orElse(BackendState.UP);
        return switch (state) {
            case DRAINING -> "drain";
            case MAINTENANCE -> "maintenance";
            default -> "serve";
        };
    }

    @SuppressWarnings("ReferenceEquality") // a changed topology is a new object
    private @Nullable Backend backend(BackendKey key) {
        Topology now = topology.get();
        Index known = index;
        if (known.topology() != now) {
            known = new Index(now, AgentReports.index(now));
            index = known;
        }
        return known.backends().get(key);
    }

    @Override
    public CompletableFuture<Void> apply(AgentBackends backends) {
        current = backends;
        hasBackends = true;
        CompletableFuture<Void> applied = control.call(() -> {
            reports.replace(backends);
            return CompletableFuture.completedFuture(null);
        });
        sources.forEach((pool, source) -> source.report(discovered(backends, pool)));
        return applied;
    }

    private static List<DiscoveredBackend> discovered(AgentBackends backends, String pool) {
        return backends.pools().getOrDefault(pool, List.of()).stream()
                .map(entry -> new DiscoveredBackend(
                        entry.key().address(), entry.weight(), /* backup= */ false, /* draining= */ false))
                .toList();
    }

    @Override
    public void learn(List<RoundTrip> times) {
        latency.accept(times);
    }

    @Override
    public void record(String subject, String text) {
        LOG.info("subject=\"{}\" msg=\"{}\"", subject, text.replace('"', '\''));
        control.execute(() -> control.timeline().add(Origin.AGENT, subject, text));
    }
}
