package io.ballast.config.keys.agent;

import io.ballast.agent.config.AgentConfig;
import io.ballast.agent.config.RegisteredBackend;
import io.ballast.agent.config.ReportTo;
import io.ballast.agent.registry.AgentIdentity;
import io.ballast.config.key.Durations;
import io.ballast.config.key.FileType;
import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.SecretType;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.keys.common.EnumWords;
import io.ballast.core.Checks;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The keys of the file of an agent. */
public final class AgentKeys {

    /** The top-level key that distinguishes the file of an agent from other files. */
    public static final String AGENT_KEY = "agent";

    private static final String EXPECTED_NODE =
            "an https URL without a path, such as https://10.0.0.1:8444; http only for a loopback address";

    /** The settings of {@code agent}, without the backends to register. */
    private record Settings(
            List<URI> nodes,
            Optional<Path> ca,
            String token,
            Path dataDir,
            Optional<String> id,
            ReportTo reportTo,
            Duration heartbeat,
            Duration drainTime,
            boolean latency) {}

    private static final ShapeBuilder<Settings> KEYS =
            Shape.named("agent", "The nodes to which the agent reports, and how it identifies itself.");
    private static final Key<List<URI>> NODES = KEYS.required(
            "nodes",
            ListType.atLeastOne(Scalars.TEXT.map(AgentKeys::node, URI::toString))
                    .unique("node", node -> node),
            "addresses of the nodes, whose configuration has agents.bind; at most 64",
            Settings::nodes);
    private static final Key<Path> CA = KEYS.optional(
            "ca",
            new FileType(),
            "PEM file with the certificates that verify the nodes; default: those that Java trusts",
            Settings::ca);
    private static final Key<String> TOKEN = KEYS.required(
            "token",
            SecretType.of(
                    "token", "a token, as lb tokens create prints it", "[!-~]{1,200}", text -> text, text -> text),
            "token for the first registration; an environment variable is better than text, such as ${TOKEN}",
            Settings::token);
    private static final Key<Path> DATA_DIR = KEYS.optional(
            "data_dir",
            new FileType(),
            AgentConfig.DEFAULT_DATA_DIR,
            "directory of the id and the secret of the agent",
            Settings::dataDir);
    private static final Key<String> ID = KEYS.optional(
            "id",
            Scalars.matching("id", "1 to 63 letters, digits and . _ -", AgentIdentity.ID_PATTERN),
            "id of the agent, unique among all agents; default: the host name and random digits",
            Settings::id);
    private static final Key<ReportTo> REPORT_TO = KEYS.optional(
            "report_to",
            EnumWords.of(ReportTo.class),
            AgentConfig.DEFAULT_REPORT_TO,
            "all: each node gets the reports; one: only one node gets them, and the next one if it fails",
            Settings::reportTo);
    private static final Key<Duration> HEARTBEAT = KEYS.optional(
            "heartbeat",
            Durations.DURATION,
            AgentConfig.DEFAULT_HEARTBEAT,
            "time after which an unchanged report is repeated, from 1s to 1h; a third of agents.stale of the nodes",
            Settings::heartbeat);
    private static final Key<Duration> DRAIN_TIME = KEYS.optional(
            "drain_time",
            Durations.DURATION,
            AgentConfig.DEFAULT_DRAIN_TIME,
            "how long the backends drain when the agent stops, before the nodes remove them; at most 1h",
            Settings::drainTime);

    private static final Key<Boolean> LATENCY = KEYS.optional(
            "latency",
            Scalars.BOOLEAN,
            false,
            "measures the round-trip times of the clients of the backends, and reports them to nodes with agents.latency;"
                    + " needs the program ss",
            Settings::latency);

    private static final Type<Settings> SETTINGS = KEYS.build(values -> new Settings(
            values.get(NODES),
            values.find(CA),
            values.get(TOKEN),
            values.get(DATA_DIR),
            values.find(ID),
            values.get(REPORT_TO),
            values.get(HEARTBEAT),
            values.get(DRAIN_TIME),
            values.get(LATENCY)));

    private static final ShapeBuilder<AgentConfig> FILE_KEYS =
            Shape.named("agent_file", "The file of an agent, which lb agent runs.");
    private static final Key<Settings> AGENT = FILE_KEYS.required(
            AGENT_KEY,
            SETTINGS,
            "nodes and identity",
            config -> new Settings(
                    config.nodes(),
                    config.ca(),
                    config.token(),
                    config.dataDir(),
                    config.id(),
                    config.reportTo(),
                    config.heartbeat(),
                    config.drainTime(),
                    config.latency()));
    private static final Key<List<RegisteredBackend>> REGISTER = FILE_KEYS.required(
            "register",
            ListType.atLeastOne(RegisterKeys.REGISTER)
                    .unique("backend", backend -> backend.pool() + "/" + backend.address()),
            "backends that the agent checks and reports; at most 64",
            AgentConfig::register);

    /** The shape of the file of an agent. */
    public static final Shape<AgentConfig> FILE = FILE_KEYS.build(values -> {
        Settings settings = values.get(AGENT);
        return new AgentConfig(
                settings.nodes(),
                settings.ca(),
                settings.token(),
                settings.dataDir(),
                settings.id(),
                settings.reportTo(),
                settings.heartbeat(),
                settings.drainTime(),
                settings.latency(),
                values.get(REGISTER));
    });

    private AgentKeys() {}

    private static URI node(String text) {
        URI node;
        try {
            node = URI.create(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("node: " + text + " (expected: " + EXPECTED_NODE + ")", e);
        }
        boolean isSecure = "https".equals(node.getScheme());
        boolean isLocal = "http".equals(node.getScheme()) && isLoopback(node.getHost());
        boolean isPlain = node.getHost() != null
                && (node.getPath() == null
                        || node.getPath().isEmpty()
                        || node.getPath().equals("/"))
                && node.getQuery() == null
                && node.getUserInfo() == null;
        Checks.that((isSecure || isLocal) && isPlain, "node", text, EXPECTED_NODE);
        return node;
    }

    private static boolean isLoopback(String host) {
        if (host == null || !host.matches("[0-9.]+|\\[[0-9a-fA-F:.]+]")) {
            return "localhost".equals(host);
        }
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
