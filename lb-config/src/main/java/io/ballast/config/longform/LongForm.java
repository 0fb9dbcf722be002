package io.ballast.config.longform;

import io.ballast.acme.config.AcmeConfig;
import io.ballast.agent.config.AgentsConfig;
import io.ballast.cluster.config.ClusterConfig;
import io.ballast.config.BallastConfig;
import io.ballast.config.LogConfig;
import io.ballast.config.key.AnyMappingType;
import io.ballast.config.key.Durations;
import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Located;
import io.ballast.config.key.NamedType;
import io.ballast.config.key.ReadContext;
import io.ballast.config.key.ReloadEffect;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.acme.AcmeKeys;
import io.ballast.config.keys.agent.AgentsKeys;
import io.ballast.config.keys.cluster.ClusterKeys;
import io.ballast.config.keys.common.EnumWords;
import io.ballast.config.keys.dashboard.DashboardKeys;
import io.ballast.config.keys.dashboard.GeoKeys;
import io.ballast.config.keys.dashboard.LogKeys;
import io.ballast.config.keys.dashboard.ProbesKeys;
import io.ballast.config.keys.dns.DnsKeys;
import io.ballast.config.keys.http.ListenerKeys;
import io.ballast.config.keys.policy.FilterKeys;
import io.ballast.config.keys.policy.LocatedPolicies;
import io.ballast.config.keys.policy.PolicyKeys;
import io.ballast.config.keys.policy.SharedLimits;
import io.ballast.config.keys.pool.GeoStrategies;
import io.ballast.config.keys.pool.PoolKeys;
import io.ballast.config.keys.telemetry.OtlpKeys;
import io.ballast.config.yaml.Node;
import io.ballast.core.Checks;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.config.geo.GeoConfig;
import io.ballast.dashboard.config.DashboardConfig;
import io.ballast.dashboard.config.ProbesConfig;
import io.ballast.dns.config.DnsConfig;
import io.ballast.http.config.ListenerConfig;
import io.ballast.net.config.TransportKind;
import io.ballast.policy.config.FilterConfig;
import io.ballast.policy.config.PolicyConfig;
import io.ballast.telemetry.config.OtlpConfig;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The keys of the long form, which can express every configuration. */
public final class LongForm {

    /** The key that lists further files of the configuration. */
    public static final String INCLUDE = "include";

    private static final int MAX_EVENT_LOOPS = 1024;
    private static final Duration MAX_ANNOUNCE_DELAY = Duration.ofMinutes(10);

    private static final ShapeBuilder<BallastConfig> KEYS =
            Shape.named("long_form", "All keys of a configuration. `listeners` or `dns` is required.");

    /** The type of the value of {@link #INCLUDE}. */
    public static final Type<List<Located<String>>> INCLUDED = ListType.of(
            Scalars.TEXT.map(text -> path(text).toString(), text -> text).located());

    /** The key with the overrides for single nodes. */
    public static final String NODES = "nodes";

    /** The type of the value of {@link #NODES}. */
    public static final Type<Map<String, Node.Mapping>> NODE_OVERRIDES = new NamedType<>(
            new AnyMappingType(), ClusterKeys.NODE_NAME, "the name of a node: letters, digits, dots and hyphens");

    static {
        // Included files are merged before keys are read. This key is declared only so that the JSON Schema and the
        // reference documentation contain it.
        KEYS.shorthand(
                INCLUDE,
                INCLUDED,
                "additional configuration files, with paths relative to this file; * and ? match file names");
        // Overrides of nodes are merged before keys are read, too.
        KEYS.shorthand(
                NODES,
                NODE_OVERRIDES,
                "keys that have other values on single nodes of the cluster, by the name of the node: mappings are"
                        + " merged, lists and other values are replaced. No effect without the key cluster");
    }

    private static final Key<List<ListenerConfig>> LISTENERS = KEYS.optional(
            "listeners",
            ListType.of(ListenerKeys.LISTENER).unique("name", ListenerConfig::name),
            List.of(),
            "where Ballast accepts HTTP, TCP and UDP clients",
            BallastConfig::listeners);
    private static final Key<Map<String, PoolConfig>> POOLS = KEYS.optional(
            "pools", new NamedType<>(PoolKeys.POOL), Map.of(), "backend pools, by name", BallastConfig::pools);
    private static final Key<Map<String, PolicyConfig>> POLICIES = KEYS.optional(
            "policies",
            new NamedType<>(PolicyKeys.POLICY),
            Map.of(),
            "policies by name: they limit, authenticate, answer, trace or copy HTTP requests, or change their"
                    + " responses; listeners, routes and pools name the policies that apply to their requests",
            BallastConfig::policies);
    private static final Key<Map<String, FilterConfig>> FILTERS = KEYS.shorthand(
            "filters",
            new NamedType<>(FilterKeys.FILTER),
            "filters in Java by name; the same as policies with the key filter");
    private static final Key<AcmeConfig> ACME = KEYS.optional(
            "acme",
            AcmeKeys.ACME,
            "how the certificates of listeners with tls.acme are ordered; none by default",
            BallastConfig::acme);
    private static final Key<OtlpConfig> OTLP = KEYS.optional(
            "otlp",
            OtlpKeys.OTLP,
            "collector that gets traces and metrics over OTLP; none by default",
            BallastConfig::otlp);

    /** The key that makes the process a node of a cluster. */
    public static final String CLUSTER_KEY = "cluster";

    private static final Key<ClusterConfig> CLUSTER = KEYS.optional(
            CLUSTER_KEY,
            ClusterKeys.CLUSTER,
            "other nodes that share the actions of operators with this node; none by default",
            BallastConfig::cluster);
    private static final Key<AgentsConfig> AGENTS = KEYS.optional(
            "agents",
            AgentsKeys.AGENTS,
            "where agents report backends to this node; none by default",
            BallastConfig::agents);
    private static final Key<DnsConfig> DNS =
            KEYS.optional("dns", DnsKeys.DNS, "the DNS frontend; none by default", BallastConfig::dns);
    private static final Key<GeoConfig> GEO =
            KEYS.optional("geo", GeoKeys.GEO, "regions of clients, by address; none by default", BallastConfig::geo);
    private static final Key<DashboardConfig> DASHBOARD = KEYS.optional(
            "dashboard",
            DashboardKeys.DASHBOARD,
            DashboardConfig.DEFAULT,
            "the listener of the dashboard",
            BallastConfig::dashboard);
    private static final Key<ProbesConfig> PROBES = KEYS.optional(
            "probes",
            ProbesKeys.PROBES,
            "separate listener for probes and metrics, which the dashboard's listener serves too; default: none",
            config -> config.dashboard().probes());
    private static final Key<Integer> EVENT_LOOPS = KEYS.optional(
            "event_loops",
            Scalars.integer(0, MAX_EVENT_LOOPS),
            BallastConfig.DEFAULT_EVENT_LOOPS,
            "number of event loops that serve clients; 0 for one per core",
            BallastConfig::eventLoops);
    private static final Key<TransportKind> TRANSPORT = KEYS.optional(
            "transport",
            EnumWords.of(TransportKind.class),
            TransportKind.AUTO,
            "I/O transport for TCP; auto selects the first that works on this system",
            BallastConfig::transport);
    private static final Key<Duration> ANNOUNCE_DELAY = KEYS.optional(
            "announce_delay",
            Durations.atMost("announce_delay", MAX_ANNOUNCE_DELAY),
            BallastConfig.DEFAULT_ANNOUNCE_DELAY,
            "how long a shutdown accepts connections after /readyz has failed, so that the senders of traffic can"
                    + " stop first; `grace` begins afterwards",
            BallastConfig::announceDelay);
    private static final Key<Duration> GRACE = KEYS.optional(
            "grace",
            Durations.DURATION,
            BallastConfig.DEFAULT_GRACE,
            "maximum time that a graceful shutdown waits for exchanges in flight",
            BallastConfig::grace);

    /** The key with the directory for state. */
    public static final String DATA_DIR_KEY = "data_dir";

    private static final Key<Path> DATA_DIR = KEYS.optional(
            DATA_DIR_KEY,
            Scalars.TEXT.map(LongForm::path, Path::toString),
            BallastConfig.DEFAULT_DATA_DIR,
            "directory for state that survives restarts",
            BallastConfig::dataDir);

    private static final Key<LogConfig> LOG =
            KEYS.optional("log", LogKeys.LOG, LogConfig.DEFAULT, "the log of the process", BallastConfig::log);

    static {
        KEYS.onReload(ReloadEffect.IMMEDIATE);
        KEYS.onReload(ReloadEffect.NEEDS_RESTART, EVENT_LOOPS, TRANSPORT, DATA_DIR, CLUSTER, AGENTS);
    }

    /** The shape of the whole file. */
    public static final Shape<BallastConfig> SHAPE = KEYS.build(LongForm::build);

    private LongForm() {}

    public static Optional<BallastConfig> read(Node.Mapping root, ReadContext reading) {
        Optional<BallastConfig> config = SHAPE.read(root, reading);
        if (root.entry(DASHBOARD.name()).isEmpty()) {
            DashboardKeys.bind(DashboardConfig.DEFAULT, root, reading);
        }
        if (reading.isComplete()) {
            checkWhole(root, reading);
        }
        config.ifPresent(whole -> UnixBackends.check(whole, root, reading));
        config.ifPresent(whole -> PolicyCombinations.check(whole, root, reading));
        config.ifPresent(whole -> ServiceReferences.check(whole, root, reading));
        config.ifPresent(whole -> RequestStrategies.check(whole, root, reading));
        config.ifPresent(whole -> FallbackPools.check(whole, root, reading));
        config.ifPresent(whole -> MirrorPools.check(whole, root, reading));
        config.ifPresent(whole -> GeoStrategies.check(whole, root, reading));
        config.ifPresent(whole -> LocatedPolicies.check(whole, root, reading));
        config.ifPresent(whole -> SharedLimits.check(whole, root, reading));
        config.ifPresent(whole -> SecuredUpstreams.check(whole, root, reading));
        config.ifPresent(whole -> AcmeNames.check(whole, root, reading));
        config.ifPresent(whole -> PolicyWarnings.check(whole, root, reading));
        config.ifPresent(whole -> SentMetrics.check(whole, root, reading));
        return config;
    }

    private static void checkWhole(Node.Mapping root, ReadContext reading) {
        if (Stream.of(LISTENERS, DNS, CLUSTER)
                .allMatch(key -> root.entry(key.name()).isEmpty())) {
            reading.error(root, "nothing to serve (expected: listeners, dns or cluster)");
        }
        Map<String, Node.Entry> pools = entries(root, POOLS);
        reading.pools().check(pools.keySet(), reading);
        reading.overriddenPools().check(pools.keySet(), reading);
        Set<String> policies = new LinkedHashSet<>(entries(root, POLICIES).keySet());
        policies.addAll(entries(root, FILTERS).keySet());
        reading.policies().check(policies, reading);
        Map<String, Node.Entry> regions =
                mapping(root, GEO).map(geo -> entries(geo, GeoKeys.REGIONS)).orElse(Map.of());
        reading.regions().check(regions.keySet(), reading);
        Map<String, Node.Entry> keys =
                mapping(root, DNS).map(dns -> entries(dns, DnsKeys.TSIG_KEYS)).orElse(Map.of());
        reading.tsigKeys().check(keys.keySet(), reading);
        if (!reading.hasErrors()) {
            warnOfIdlePools(pools, reading);
        }
    }

    /** Returns the entries of a nested mapping; empty if the value is not a mapping. */
    private static Map<String, Node.Entry> entries(Node.Mapping node, Key<?> key) {
        return mapping(node, key).map(Node.Mapping::entries).orElse(Map.of());
    }

    private static Optional<Node.Mapping> mapping(Node.Mapping node, Key<?> key) {
        return node.entry(key.name())
                .map(Node.Entry::value)
                .filter(Node.Mapping.class::isInstance)
                .map(Node.Mapping.class::cast);
    }

    private static void warnOfIdlePools(Map<String, Node.Entry> pools, ReadContext reading) {
        Set<String> used = reading.pools().usedNames();
        pools.forEach((name, entry) -> {
            if (!used.contains(name)) {
                reading.warning(entry, "no route and no service uses this pool");
            }
        });
    }

    /** Returns the policies and the filters. */
    private static Map<String, PolicyConfig> policies(Values values) {
        Map<String, PolicyConfig> all = new LinkedHashMap<>(values.get(POLICIES));
        values.find(FILTERS).orElse(Map.of()).forEach((name, filter) -> {
            if (all.putIfAbsent(name, new PolicyConfig(name, filter, /* dryRun= */ false)) != null) {
                values.reading()
                        .error(
                                values.node(FILTERS),
                                "duplicate name '" + name + "' (expected: a name that no policy has)");
            }
        });
        return all;
    }

    private static BallastConfig build(Values values) {
        BallastConfig config = new BallastConfig(
                values.get(LISTENERS),
                values.get(POOLS),
                values.find(DNS),
                values.get(DASHBOARD).withProbes(values.find(PROBES)),
                values.get(EVENT_LOOPS),
                values.get(TRANSPORT),
                values.get(ANNOUNCE_DELAY),
                values.get(GRACE),
                values.get(DATA_DIR),
                values.find(GEO),
                values.get(LOG),
                policies(values),
                values.find(ACME),
                values.find(OTLP),
                values.find(CLUSTER),
                values.find(AGENTS));
        checkAgents(config, values);
        TransportKind transport = config.transport();
        if (config.hasUnixSockets() && (transport == TransportKind.IO_URING || transport == TransportKind.NIO)) {
            values.reading()
                    .mismatch(values.node(TRANSPORT), "auto or epoll, because the configuration has Unix sockets");
        }
        return config;
    }

    /** Reports pools that allow agents although no agent can report. */
    private static void checkAgents(BallastConfig config, Values values) {
        if (config.agents().isPresent() || values.isInvalid(AGENTS)) {
            return;
        }
        config.pools().values().stream()
                .filter(pool -> pool.agents().isPresent())
                .findFirst()
                .ifPresent(pool -> values.reading()
                        .error(
                                values.node(POOLS),
                                "pool '" + pool.name() + "' has agents, but they cannot report (expected: the key"
                                        + " agents at the top level, with bind and tls)"));
    }

    /** Converts the text of a path; a relative path is resolved against the process's working directory. */
    static Path path(String text) {
        Checks.that(!text.isEmpty(), "path", text, "a valid file path");
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("path: " + text + " (expected: a valid file path)", e);
        }
    }
}
