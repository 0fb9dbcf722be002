package io.ballast.agent.config;

import io.ballast.core.Checks;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The configuration of an agent.
 *
 * @param nodes the addresses of the nodes, such as {@code https://10.0.0.1:8444}
 * @param ca the certificates that verify the nodes; absent for the certificates of the Java runtime
 * @param token the token for the first registration
 * @param dataDir the directory of the id and the secret of the agent
 * @param id the id of the agent; if absent, it is made from the host name and random digits
 * @param reportTo the nodes to which the agent reports
 * @param heartbeat the time after which an unchanged report is repeated
 * @param drainTime how long the backends drain when the agent stops, before they are removed
 * @param latency whether the agent measures the round-trip times of clients, and reports them
 * @param register the backends
 */
public record AgentConfig(
        List<URI> nodes,
        Optional<Path> ca,
        String token,
        Path dataDir,
        Optional<String> id,
        ReportTo reportTo,
        Duration heartbeat,
        Duration drainTime,
        boolean latency,
        List<RegisteredBackend> register) {

    public static final int MAX_NODES = 64;
    public static final int MAX_BACKENDS = 64;
    public static final Path DEFAULT_DATA_DIR = Path.of("/var/lib/ballast-agent");
    public static final ReportTo DEFAULT_REPORT_TO = ReportTo.ALL;
    public static final Duration DEFAULT_HEARTBEAT = Duration.ofSeconds(10);
    public static final Duration DEFAULT_DRAIN_TIME = Duration.ofSeconds(10);

    public AgentConfig {
        nodes = List.copyOf(nodes);
        register = List.copyOf(register);
        Checks.between(nodes.size(), 1, MAX_NODES, "nodes");
        Checks.between(register.size(), 1, MAX_BACKENDS, "register");
        Checks.that(
                heartbeat.compareTo(Duration.ofSeconds(1)) >= 0 && heartbeat.compareTo(Duration.ofHours(1)) <= 0,
                "heartbeat",
                heartbeat,
                "1s to 1h");
        Checks.that(
                !drainTime.isNegative() && drainTime.compareTo(Duration.ofHours(1)) <= 0,
                "drain_time",
                drainTime,
                "0s to 1h");
    }

    /** Returns a text without the token. */
    @Override
    public String toString() {
        return "AgentConfig[" + nodes + "]";
    }
}
