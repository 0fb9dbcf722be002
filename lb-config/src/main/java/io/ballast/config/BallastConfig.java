package io.ballast.config;

import io.ballast.core.Checks;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.config.UnixSocket;
import io.ballast.core.config.geo.GeoConfig;
import io.ballast.dashboard.config.DashboardConfig;
import io.ballast.dns.config.DnsConfig;
import io.ballast.http.config.ListenerConfig;
import io.ballast.net.config.TransportKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One whole configuration: what a configuration file says, with every default filled in and every reference known to
 * lead somewhere.
 *
 * @param listeners where HTTP clients come in; may be empty when only DNS is served
 * @param pools the pools by name, in the order of the file
 * @param dns the DNS frontend, absent when the file has none
 * @param dashboard the dashboard's own listener
 * @param eventLoops how many event loops serve clients; 0 means one per core
 * @param transport which of the system's interfaces carries TCP
 * @param grace how long a graceful shutdown waits for exchanges that still run
 * @param dataDir where state that outlives the process is kept
 * @param geo which region a client belongs to, absent when the file does not say
 * @param log what the process writes to its log
 */
public record BallastConfig(
        List<ListenerConfig> listeners,
        Map<String, PoolConfig> pools,
        Optional<DnsConfig> dns,
        DashboardConfig dashboard,
        int eventLoops,
        TransportKind transport,
        Duration grace,
        Path dataDir,
        Optional<GeoConfig> geo,
        LogConfig log) {

    public static final int DEFAULT_EVENT_LOOPS = 0;
    public static final Duration DEFAULT_GRACE = Duration.ofSeconds(30);
    public static final Path DEFAULT_DATA_DIR = Path.of("./data");

    public BallastConfig {
        listeners = List.copyOf(listeners);
        Checks.atLeast(eventLoops, 0, "event_loops");
        pools = Collections.unmodifiableMap(new LinkedHashMap<>(pools));
    }

    /** Whether a Unix socket is listened on, or a backend listens on one. */
    public boolean hasUnixSockets() {
        return listeners.stream().anyMatch(listener -> listener.bind() instanceof UnixSocket)
                || pools.values().stream().anyMatch(PoolConfig::hasUnixSockets);
    }

    /** Returns a copy with other pools. */
    public BallastConfig withPools(Map<String, PoolConfig> others) {
        return new BallastConfig(listeners, others, dns, dashboard, eventLoops, transport, grace, dataDir, geo, log);
    }

    /** A configuration without geography, and with the usual log. */
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
                grace,
                dataDir,
                Optional.empty(),
                LogConfig.DEFAULT);
    }
}
