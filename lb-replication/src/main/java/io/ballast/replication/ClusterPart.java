package io.ballast.replication;

import io.ballast.agent.node.AgentSharing;
import io.ballast.cluster.config.ClusterConfig;
import io.ballast.cluster.config.ClusterSecretKey;
import io.ballast.cluster.fact.ChangeWatch;
import io.ballast.cluster.fact.FactFamily;
import io.ballast.cluster.secret.SecretCipher;
import io.ballast.config.BallastConfig;
import io.ballast.core.config.vote.Quorum;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.health.ActiveExternalOverrides;
import io.ballast.core.health.ExternalOverrides;
import io.ballast.core.health.HealthMonitor;
import io.ballast.core.health.Operator;
import io.ballast.core.health.OperatorOverrides;
import io.ballast.core.health.OverrideSnapshot;
import io.ballast.core.pool.Membership;
import io.ballast.core.pool.Topology;
import io.ballast.dashboard.live.BackendSums;
import io.ballast.dashboard.source.AgentDirectory;
import io.ballast.dashboard.source.ClusterNodes;
import io.ballast.dashboard.source.ClusterStats;
import io.ballast.dashboard.source.ClusterSums;
import io.ballast.dashboard.source.NodeSum;
import io.ballast.discovery.SharedEdits;
import io.ballast.policy.share.LimitExchange;
import io.ballast.replication.certificate.CertificateFacts;
import io.ballast.replication.configuration.ClusterConfiguration;
import io.ballast.replication.key.DnssecFacts;
import io.ballast.replication.limit.ClusterLimits;
import io.ballast.replication.limit.LimitHashes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cluster that a balancer belongs to, if one is configured. Without the key {@code cluster}, no classes of the
 * cluster are loaded. Thread-safe, except for methods that must be called on the control plane's thread.
 */
public final class ClusterPart implements AutoCloseable {

    /** The directory of the cluster in the data directory. */
    static final String DIRECTORY = "cluster";

    private static final Logger LOG = LoggerFactory.getLogger(ClusterPart.class);

    private final Optional<ClusterConfig> config;
    private final boolean isWitness;
    private final Path directory;
    private final ControlPlane control;
    private final OverrideFacts operatorFacts;
    private final ExternalOverrideFacts externalFacts;
    private final BackendFacts backendFacts;
    private final Optional<FlushFacts> flushFacts;
    private final SharedFlushes flushes;
    private final Optional<SecretFacts> secretFacts;
    private final Optional<DnssecFacts> dnssecFacts;
    private final Optional<CertificateFacts> certificateFacts;
    private final Optional<AgentFacts> agentFacts;
    private final Optional<ClusterLimits> limits;
    private final Optional<ClusterConfiguration> configuration;
    private final Optional<ForgottenNodes> forgotten;
    private final CommitWait commits = new CommitWait(this::watch);
    private final List<FactFamily> families = new ArrayList<>();
    private final HealthMonitor health;
    private final Supplier<BallastConfig> running;
    private final Supplier<Topology> topology;
    private volatile LongSupplier dnsQueries = () -> 0;
    private volatile @Nullable CurrentUse use;
    private volatile @Nullable ClusterMember member;

    /** The uses of pools in a configuration, which are computed once for each configuration. */
    private record CurrentUse(BallastConfig config, PoolUse pools) {}

    /**
     * @param running returns the active configuration
     * @param health the health monitor, which shares its results with the other nodes
     * @param caches the caches of this process
     * @param secrets receives the shared secrets after each change, on a thread that may block
     */
    public ClusterPart(
            BallastConfig config,
            Supplier<BallastConfig> running,
            ControlPlane control,
            Supplier<Topology> topology,
            HealthMonitor health,
            FlushTargets caches,
            Consumer<SharedSecrets> secrets) {
        this.config = config.cluster();
        this.isWitness = isWitness(config);
        this.running = running;
        this.topology = topology;
        this.health = health;
        this.directory = config.dataDir().resolve(DIRECTORY);
        this.control = control;
        this.operatorFacts = new OverrideFacts(control, topology);
        this.externalFacts = new ExternalOverrideFacts(control);
        add(operatorFacts);
        this.backendFacts = new BackendFacts(control);
        add(externalFacts);
        add(backendFacts);
        this.flushFacts =
                this.config.map(present -> new FlushFacts(control, caches, directory.resolve("flushes.state")));
        flushFacts.ifPresent(this::add);
        this.secretFacts = this.config.flatMap(ClusterConfig::secretKey).map(key -> secretFacts(key, secrets));
        secretFacts.ifPresent(this::add);
        this.dnssecFacts = this.config
                .flatMap(ClusterConfig::secretKey)
                .map(key ->
                        new DnssecFacts(control, new SecretCipher(key, new SecureRandom()), running, config.dataDir()));
        dnssecFacts.ifPresent(this::add);
        this.certificateFacts = this.config
                .flatMap(ClusterConfig::secretKey)
                .map(key -> new CertificateFacts(
                        control, new SecretCipher(key, new SecureRandom()), running, config.dataDir()));
        certificateFacts.ifPresent(this::add);
        this.agentFacts = this.config.map(present -> new AgentFacts(control));
        agentFacts.ifPresent(facts -> facts.families().forEach(this::add));
        this.configuration = this.config.map(present -> new ClusterConfiguration(present, control));
        configuration.ifPresent(present -> add(present.facts()));
        this.flushes = new SharedFlushes(caches, flushFacts, commits);
        this.limits = this.config.map(ClusterPart::limits);
        this.forgotten = this.config.map(cluster -> new ForgottenNodes(control, cluster.voters()));
        forgotten.ifPresent(this::add);
    }

    private static ClusterLimits limits(ClusterConfig cluster) {
        byte[] key = cluster.secretKey()
                .map(ClusterSecretKey::bytes)
                .orElseGet(() -> cluster.name().getBytes(StandardCharsets.UTF_8));
        return new ClusterLimits(new LimitHashes(key), cluster.voters());
    }

    /** Divides limits among the nodes; {@link LimitExchange#NONE} without a cluster. */
    public LimitExchange limits() {
        return limits.<LimitExchange>map(present -> present).orElse(LimitExchange.NONE);
    }

    private SecretFacts secretFacts(ClusterSecretKey key, Consumer<SharedSecrets> target) {
        SecretCipher cipher = new SecretCipher(key, new SecureRandom());
        return new SecretFacts(control, cipher, new SecretStateFile(directory, cipher), target);
    }

    /** Sets the overrides and edits that are kept equal on all nodes. Called once, before {@link #start}. */
    public void connect(OperatorOverrides operator, ActiveExternalOverrides external, SharedEdits edits) {
        operatorFacts.setOverrides(operator);
        externalFacts.setOverrides(external);
        backendFacts.setEdits(edits);
    }

    /** Adds a kind of facts. Called before {@link #start}. */
    private void add(FactFamily family) {
        families.add(family);
    }

    /**
     * Joins the cluster. Facts then change this process, so all of its parts must have started.
     *
     * @throws IOException if a file or the address cannot be used; the message names it
     */
    public void start() throws IOException {
        if (config.isPresent() && member == null) {
            if (secretFacts.isEmpty()) {
                LOG.warn("cluster=no_secret_key effect=\"other nodes do not accept the TLS tickets, DNS cookies, sticky"
                        + " cookies and oidc cookies of this node; this node signs zones with its own keys"
                        + " and orders its own certificates\""
                        + " action=\"set cluster.secret_key\"");
            }
            member = ClusterMember.start(
                    config.get(),
                    directory,
                    control,
                    families,
                    health,
                    this::defaultQuorum,
                    new ClusterMember.ClusterNodesState(
                            forgotten.orElseThrow(), limits.orElseThrow(), this::ownSums, certificateFacts, isWitness),
                    configuration.orElseThrow());
        }
    }

    /** Whether a node serves no clients, and cannot receive a configuration with which it would serve clients. */
    private static boolean isWitness(BallastConfig config) {
        return config.listeners().isEmpty()
                && config.dns().isEmpty()
                && config.cluster().filter(cluster -> !cluster.isShared()).isPresent();
    }

    private NodeSum ownSums() {
        return new NodeSum(BackendSums.of(topology.get(), SumRows.MAX_BACKENDS), dnsQueries.getAsLong());
    }

    /** Sets the number of DNS queries that this process has received. Called once, before {@link #start}. */
    public void countQueries(LongSupplier queries) {
        dnsQueries = queries;
    }

    /** The counters of all nodes; empty without a cluster. */
    public Optional<ClusterSums> sums() {
        return Optional.ofNullable(member).map(ClusterMember::sums);
    }

    @SuppressWarnings("ReferenceEquality") // a changed configuration is a new object
    private Quorum defaultQuorum(String pool) {
        BallastConfig now = running.get();
        CurrentUse known = use;
        if (known == null || known.config() != now) {
            known = new CurrentUse(now, new PoolUse(now));
            use = known;
        }
        return known.pools().defaultQuorum(pool);
    }

    /** Called with all overrides of operators on this node after each change, on the control plane's thread. */
    public void overridesChanged(OverrideSnapshot next) {
        operatorFacts.changed(next);
    }

    /** Returns the listener for changes of external overrides on this node. */
    public ActiveExternalOverrides.ChangeListener externalOverrides() {
        return externalFacts;
    }

    /** Returns the listener for edits of backends on this node. */
    public SharedEdits.Listener backendEdits() {
        return backendFacts;
    }

    /** Applies the overrides and edits that concern new backends. Called on the control plane's thread. */
    public void topologyChanged() {
        operatorFacts.adoptAll();
        externalFacts.adoptAll();
        backendFacts.adoptAll();
    }

    /** Returns an operator whose commands wait for the cluster for a short time. */
    public Operator operator(Operator local) {
        return config.isPresent() ? new ClusterOperator(local, commits) : local;
    }

    /** Returns external overrides whose changes wait for the cluster for a short time. */
    public ExternalOverrides externalOverrides(ExternalOverrides local) {
        return config.isPresent() ? new ClusterExternalOverrides(local, commits) : local;
    }

    /** Returns a membership whose changes wait for the cluster for a short time. */
    public Membership membership(Membership local) {
        return config.isPresent() ? new ClusterMembership(local, backendFacts, commits) : local;
    }

    /** Returns the object that shares the agents that report to this process. */
    public AgentSharing agentSharing() {
        return agentFacts.map(AgentSharing.class::cast).orElse(AgentSharing.NONE);
    }

    /** Returns agents whose changes wait for the cluster for a short time. */
    public AgentDirectory agents(AgentDirectory local) {
        return agentFacts
                .<AgentDirectory>map(facts -> new ClusterAgents(local, facts, commits, this::pendingKeys))
                .orElse(local);
    }

    private Set<String> pendingKeys() {
        ClusterMember present = member;
        return present == null ? Set.of() : present.pendingKeys();
    }

    /** The certificates that the nodes share; empty without a cluster, or without its {@code secret_key}. */
    public Optional<CertificateFacts> certificates() {
        return certificateFacts;
    }

    /** Returns the object that removes nodes that will not return. */
    public ClusterNodes nodes() {
        return new NodeRemoval(forgotten, () -> Optional.ofNullable(member).map(ClusterMember::name), commits);
    }

    /** Returns the object that removes entries from the caches of all nodes. */
    public SharedFlushes flushes() {
        return flushes;
    }

    /** The configuration that the nodes share; empty without a cluster. */
    public Optional<ClusterConfiguration> configuration() {
        return configuration;
    }

    /** Begins to execute the flushes of other nodes. Called when saved caches have been restored. */
    public void openCaches() {
        flushFacts.ifPresent(FlushFacts::open);
    }

    private Optional<ChangeWatch> watch(Predicate<String> keys) {
        return Optional.ofNullable(member).map(present -> present.watch(keys));
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
        limits.ifPresent(ClusterLimits::close);
        configuration.ifPresent(ClusterConfiguration::close);
        flushFacts.ifPresent(FlushFacts::close);
        secretFacts.ifPresent(SecretFacts::close);
        dnssecFacts.ifPresent(DnssecFacts::close);
        certificateFacts.ifPresent(CertificateFacts::close);
    }
}
