package io.ballast.config;

import io.ballast.acme.config.AcmeConfig;
import io.ballast.agent.config.AgentsConfig;
import io.ballast.cluster.config.ClusterConfig;
import io.ballast.core.Checks;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.config.UnixSocket;
import io.ballast.core.config.geo.GeoConfig;
import io.ballast.dashboard.config.DashboardConfig;
import io.ballast.dns.config.DnsConfig;
import io.ballast.http.config.ListenerConfig;
import io.ballast.net.config.TransportKind;
import io.ballast.policy.config.PolicyConfig;
import io.ballast.telemetry.config.OtlpConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A complete configuration: the contents of a configuration file with all defaults applied and all references
 * resolved.
 *
 * @param listeners the HTTP, TCP and UDP listeners; may be empty if only DNS is served
 * @param pools the pools by name, in the order of the file
 * @param dns the DNS frontend, if configured
 * @param dashboard the dashboard and its own listener
 * @param eventLoops number of event loops that serve clients; 0 means one per core
 * @param transport the system interface for network I/O
 * @param announceDelay time between the first failed readiness probe of a shutdown and the time when the process stops
 *     accepting connections
 * @param grace maximum time that a graceful shutdown waits for exchanges in flight
 * @param dataDir the directory for state that survives a restart
 * @param geo the regions of clients, if configured
 * @param log settings of the process log
 * @param policies the policies by name, in the order of the file
 * @param acme the settings for ordering certificates with ACME; present if a listener has names in {@code tls.acme}
 * @param otlp the collector of traces and metrics, if configured
 * @param cluster the cluster that this node belongs to, if configured
 * @param agents the listener for the reports from agents, if configured
 */
public record BallastConfig(
        List<ListenerConfig> listeners,
        Map<String, PoolConfig> pools,
        Optional<DnsConfig> dns,
        DashboardConfig dashboard,
        int eventLoops,
        TransportKind transport,
        Duration announceDelay,
        Duration grace,
        Path dataDir,
        Optional<GeoConfig> geo,
        LogConfig log,
        Map<String, PolicyConfig> policies,
        Optional<AcmeConfig> acme,
        Optional<OtlpConfig> otlp,
        Optional<ClusterConfig> cluster,
        Optional<AgentsConfig> agents) {

    public static final int DEFAULT_EVENT_LOOPS = 0;
    public static final Duration DEFAULT_ANNOUNCE_DELAY = Duration.ZERO;
    public static final Duration DEFAULT_GRACE = Duration.ofSeconds(30);
    public static final Path DEFAULT_DATA_DIR = Path.of("./data");

    public BallastConfig {
        listeners = List.copyOf(listeners);
        Checks.atLeast(eventLoops, 0, "event_loops");
        pools = Collections.unmodifiableMap(new LinkedHashMap<>(pools));
        policies = Collections.unmodifiableMap(new LinkedHashMap<>(policies));
    }

    /** Returns whether a listener or a backend uses a Unix socket. */
    public boolean hasUnixSockets() {
        return listeners.stream().anyMatch(listener -> listener.bind() instanceof UnixSocket)
                || pools.values().stream().anyMatch(PoolConfig::hasUnixSockets);
    }

    /** Returns a copy with the given pools. */
    public BallastConfig withPools(Map<String, PoolConfig> others) {
        return with(others, dns, policies);
    }

    /** Returns a copy with the given DNS configuration. */
    public BallastConfig withDns(Optional<DnsConfig> other) {
        return with(pools, other, policies);
    }

    /** Returns a copy with the given policies. */
    public BallastConfig withPolicies(Map<String, PolicyConfig> others) {
        return with(pools, dns, others);
    }

    private BallastConfig with(
            Map<String, PoolConfig> newPools, Optional<DnsConfig> newDns, Map<String, PolicyConfig> newPolicies) {
        return new BallastConfig(
                listeners,
                newPools,
                newDns,
                dashboard,
                eventLoops,
                transport,
                announceDelay,
                grace,
                dataDir,
                geo,
                log,
                newPolicies,
                acme,
                otlp,
                cluster,
                agents);
    }

    /** Returns a copy in which the settings that only a restart can change have the values of {@code running}. */
    public BallastConfig withFixedSettingsOf(BallastConfig running) {
        return new BallastConfig(
                listeners,
                pools,
                dns,
                dashboard,
                running.eventLoops,
                running.transport,
                announceDelay,
                grace,
                running.dataDir,
                geo,
                log,
                policies,
                acme,
                otlp,
                running.cluster,
                running.agents);
    }

    /**
     * Creates a configuration without client regions, policies, ACME, OTLP, cluster or agents, with the default log
     * settings.
     */
    public BallastConfig(
            List<ListenerConfig> listeners,
            Map<String, PoolConfig> pools,
            Optional<DnsConfig> dns,
            DashboardConfig dashboard,
            int eventLoops,
            TransportKind transport,
            Duration grace,
            Path dataDir) {
        this(
                listeners,
                pools,
                dns,
                dashboard,
                eventLoops,
                transport,
                DEFAULT_ANNOUNCE_DELAY,
                grace,
                dataDir,
                Optional.empty(),
                LogConfig.DEFAULT,
                /* policies= */ Map.of(),
                /* acme= */ Optional.empty(),
                /* otlp= */ Optional.empty(),
                /* cluster= */ Optional.empty(),
                /* agents= */ Optional.empty());
    }
}
