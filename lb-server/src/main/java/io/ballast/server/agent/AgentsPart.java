package io.ballast.server.agent;

import io.ballast.agent.config.AgentsConfig;
import io.ballast.agent.node.AgentNode;
import io.ballast.agent.node.AgentSharing;
import io.ballast.config.BallastConfig;
import io.ballast.core.config.DiscoveryConfig;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.health.HealthMonitor;
import io.ballast.core.pool.Topology;
import io.ballast.dashboard.source.AgentDirectory;
import io.ballast.dashboard.source.DnsServices.RoundTrip;
import io.ballast.discovery.SourceFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The agents that report to this process, if the configuration has {@code agents}. Otherwise no class of the module
 * {@code lb-agent} is loaded, except the record of the configuration.
 *
 * <p>Thread safety: all methods may be called from any thread, unless they state otherwise.
 */
public final class AgentsPart implements AutoCloseable {

    private final Optional<AgentsConfig> config;
    private final Path directory;
    private final ControlPlane control;
    private final @Nullable AgentReports reports;
    private final @Nullable NodePools pools;
    private volatile @Nullable AgentFile file;
    private volatile @Nullable AgentNode node;

    /**
     * @param topology supplies the active topology
     * @param active supplies the active configuration
     * @param health supplies the health monitor; first called when agents report
     * @param latency receives the round-trip times of clients that agents measure, on any thread
     * @param isDiscoveryRefused whether the last change of discovered backends could not be applied yet
     */
    public AgentsPart(
            BallastConfig config,
            ControlPlane control,
            Supplier<Topology> topology,
            Supplier<BallastConfig> active,
            Supplier<HealthMonitor> health,
            Consumer<List<RoundTrip>> latency,
            BooleanSupplier isDiscoveryRefused) {
        this.config = config.agents();
        this.directory = config.dataDir();
        this.control = control;
        this.reports =
                config.agents().isPresent() ? new AgentReports(control, health, topology, isDiscoveryRefused) : null;
        this.pools = reports == null ? null : new NodePools(control, active, topology, reports, latency);
    }

    /**
     * Returns a factory that creates the sources for backends of agents, and delegates to {@code others} for all other
     * sources.
     */
    public SourceFactory sources(SourceFactory others) {
        return source -> {
            NodePools present = pools;
            if (present == null || !(source instanceof DiscoveryConfig.Agents agents)) {
                return others.create(source);
            }
            return present.source(agents.pool());
        };
    }

    /**
     * Starts to listen for agents.
     *
     * @param sharing shares the agents with the nodes of a cluster
     * @throws IOException if the address or a file cannot be used; the message names it
     */
    public void start(AgentSharing sharing) throws IOException {
        NodePools present = pools;
        if (config.isEmpty() || present == null || node != null) {
            return;
        }
        AgentFile opened = new AgentFile(directory);
        file = opened;
        node = AgentNode.start(config.get(), present, opened, sharing, control.clock(), System::nanoTime);
    }

    /** The agents; empty if this process accepts no reports from agents. */
    public Optional<AgentDirectory> directory() {
        return Optional.ofNullable(node);
    }

    /** The address on which this process accepts reports from agents; empty if it accepts none. */
    public Optional<InetSocketAddress> address() {
        return Optional.ofNullable(node).map(AgentNode::address);
    }

    /** Applies the reports to backends that are new. Called on the control plane's thread. */
    public void topologyChanged() {
        AgentReports present = reports;
        if (present != null) {
            present.topologyChanged();
        }
        AgentNode running = node;
        if (running != null) {
            running.poolsChanged();
        }
    }

    /** Stops listening and releases the file, so that the next process can use them. */
    @Override
    public void close() throws IOException {
        AgentNode running = node;
        node = null;
        if (running != null) {
            running.close();
        }
        AgentFile opened = file;
        file = null;
        if (opened != null) {
            opened.close();
        }
    }
}
