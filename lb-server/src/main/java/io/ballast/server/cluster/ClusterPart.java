package io.ballast.server.cluster;

import io.ballast.cluster.config.ClusterConfig;
import io.ballast.config.BallastConfig;
import io.ballast.core.config.vote.Quorum;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.health.HealthMonitor;
import io.ballast.core.health.Operator;
import io.ballast.core.health.OperatorOverrides;
import io.ballast.core.health.OverrideSnapshot;
import io.ballast.core.pool.Topology;
import io.ballast.dashboard.source.ClusterStats;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The cluster that a balancer belongs to, if one is configured. Without the key {@code cluster}, no classes of the
 * cluster are loaded. Thread-safe, except for methods that must be called on the control plane's thread.
 */
public final class ClusterPart implements AutoCloseable {

    private static final String DIRECTORY = "cluster";

    private final Optional<ClusterConfig> config;
    private final Path directory;
    private final ControlPlane control;
    private final OverrideFacts sync;
    private final HealthMonitor health;
    private final Supplier<BallastConfig> running;
    private @Nullable OperatorOverrides overrides;
    private volatile @Nullable CurrentUse use;
    private volatile @Nullable ClusterMember member;

    /** The uses of pools in a configuration, which are computed once for each configuration. */
    private record CurrentUse(BallastConfig config, PoolUse pools) {}

    /**
     * @param running returns the active configuration
     * @param health shares its results with the other nodes
     */
    public ClusterPart(
            BallastConfig config,
            Supplier<BallastConfig> running,
            ControlPlane control,
            Supplier<Topology> topology,
            HealthMonitor health) {
        this.config = config.cluster();
        this.running = running;
        this.health = health;
        this.directory = config.dataDir().resolve(DIRECTORY);
        this.control = control;
        this.sync = new OverrideFacts(control, topology);
    }

    /** Sets the overrides that are kept equal on all nodes. Called once. */
    public void connect(OperatorOverrides local) {
        overrides = local;
    }

    /**
     * Joins the cluster.
     *
     * @throws IOException if a file or the address cannot be used; the message names it
     */
    public void start() throws IOException {
        OperatorOverrides local = overrides;
        if (config.isPresent() && local != null && member == null) {
            member = ClusterMember.start(config.get(), directory, control, sync, local, health, this::defaultQuorum);
        }
    }

    private Quorum defaultQuorum(String pool) {
        BallastConfig now = running.get();
        CurrentUse known = use;
        if (known == null || known.config() != now) {
            known = new CurrentUse(now, new PoolUse(now));
            use = known;
        }
        return known.pools().defaultQuorum(pool);
    }

    /** Is notified of all overrides of this node after each change, on the control plane's thread. */
    public void overridesChanged(OverrideSnapshot next) {
        sync.changed(next);
    }

    /** Applies overrides of backends that are new. Called on the control plane's thread. */
    public void topologyChanged() {
        sync.adopt();
    }

    /** Returns an operator whose commands wait for the cluster for a short time. */
    public Operator operator(Operator local) {
        return config.isPresent() ? new ClusterOperator(local, this::whenSettled) : local;
    }

    private CompletableFuture<Boolean> whenSettled(String subject) {
        ClusterMember current = member;
        return current == null ? new CompletableFuture<>() : current.whenSettled(subject);
    }

    /** The state of the cluster; empty if none is configured, or this process has not joined yet. */
    public Optional<ClusterStats> stats() {
        return Optional.ofNullable(member).map(ClusterMember::stats);
    }

    /** Leaves the cluster, so that the next process can join it. This object cannot be used afterwards. */
    @Override
    public void close() {
        ClusterMember current = member;
        member = null;
        if (current != null) {
            current.close();
        }
    }
}
