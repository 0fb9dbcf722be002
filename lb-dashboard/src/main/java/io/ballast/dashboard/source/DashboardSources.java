package io.ballast.dashboard.source;

import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.Reloader;
import io.ballast.core.health.ExternalOverrides;
import io.ballast.core.health.Operator;
import io.ballast.core.pool.Membership;
import io.ballast.core.pool.Topology;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The data sources of the dashboard. A supplier is called about once a second on the dashboard's thread and
 * must not block. It may return another object after a reload.
 *
 * <p>Thread safety: immutable; each {@code with} method returns a copy.
 */
public final class DashboardSources {

    private final Supplier<Topology> topology;
    private final ControlPlane control;
    private final String version;
    private Supplier<Readiness> readiness = () -> Readiness.READY;
    private Supplier<Optional<String>> failureReason = Optional::empty;
    private Supplier<List<ListenerStats>> listeners = List::of;
    private HttpCaches caches = (selection, who) -> {
        throw new NoSuchElementException("no cache is configured");
    };
    private Supplier<Optional<ClusterSums>> clusterSums = Optional::empty;
    private ClusterNodes clusterNodes = (node, who) -> {
        throw new NoSuchElementException("this process is not in a cluster");
    };
    private Supplier<List<PolicyStats>> policies = List::of;
    private Supplier<Optional<DnsStatistics>> dns = Optional::empty;
    private Supplier<Optional<DnsServices>> dnsServices = Optional::empty;
    private Supplier<Optional<DnsForwarding>> forwarding = Optional::empty;
    private Optional<RecordingReloader> reloader = Optional.empty();
    private Optional<Operator> operator = Optional.empty();
    private Supplier<Optional<ClusterStats>> cluster = Optional::empty;
    private Supplier<Optional<SharedConfiguration>> sharedConfiguration = Optional::empty;
    private Supplier<Optional<AgentDirectory>> agents = Optional::empty;
    private Supplier<DiscoveryStats> discovery = () -> DiscoveryStats.NONE;
    private Supplier<List<OrderedCertificate>> orderedCertificates = List::of;
    private Supplier<List<OrderedCertificate>> onDemandCertificates = List::of;
    private Supplier<List<OnDemandCount>> onDemandCounts = List::of;
    private Supplier<Optional<String>> orderingNode = Optional::empty;
    private CertificateRevoker revoker = (name, reason, who) ->
            CompletableFuture.failedFuture(new NoSuchElementException("no certificates are ordered by ACME"));
    private Supplier<Optional<TelemetryStats>> telemetry = Optional::empty;
    private Optional<ConfigurationView> configuration = Optional.empty();
    private LongSupplier stalls = () -> 0;
    private LongSupplier starvations = () -> 0;
    private Optional<Membership> membership = Optional.empty();
    private Optional<ExternalOverrides> overrides = Optional.empty();
    private Optional<BackendExplanations> explanations = Optional.empty();

    private DashboardSources(Supplier<Topology> topology, ControlPlane control, String version) {
        this.topology = topology;
        this.control = control;
        this.version = version;
    }

    private DashboardSources(DashboardSources from) {
        this(from.topology, from.control, from.version);
        this.readiness = from.readiness;
        this.failureReason = from.failureReason;
        this.listeners = from.listeners;
        this.policies = from.policies;
        this.caches = from.caches;
        this.clusterNodes = from.clusterNodes;
        this.clusterSums = from.clusterSums;
        this.dns = from.dns;
        this.dnsServices = from.dnsServices;
        this.forwarding = from.forwarding;
        this.reloader = from.reloader;
        this.operator = from.operator;
        this.cluster = from.cluster;
        this.sharedConfiguration = from.sharedConfiguration;
        this.agents = from.agents;
        this.discovery = from.discovery;
        this.orderedCertificates = from.orderedCertificates;
        this.onDemandCertificates = from.onDemandCertificates;
        this.onDemandCounts = from.onDemandCounts;
        this.orderingNode = from.orderingNode;
        this.revoker = from.revoker;
        this.telemetry = from.telemetry;
        this.configuration = from.configuration;
        this.stalls = from.stalls;
        this.starvations = from.starvations;
        this.membership = from.membership;
        this.overrides = from.overrides;
        this.explanations = from.explanations;
    }

    /**
     * Returns sources without frontends and reloads; they report that the process is always ready. The {@code
     * with} methods add further sources.
     *
     * @param topology returns the active topology
     * @param control provides the timeline
     * @param version product version, for display
     */
    public static DashboardSources of(Supplier<Topology> topology, ControlPlane control, String version) {
        return new DashboardSources(topology, control, version);
    }

    /** Returns a copy that {@code change} has changed. */
    private DashboardSources with(Consumer<DashboardSources> change) {
        DashboardSources next = new DashboardSources(this);
        change.accept(next);
        return next;
    }

    /** Sets the source that determines whether the process is ready for new traffic. */
    public DashboardSources withReadiness(Supplier<Readiness> source) {
        return with(next -> next.readiness = source);
    }

    /**
     * Sets the liveness source. The source returns the reason why the process is about to exit; empty while the process
     * is healthy.
     */
    public DashboardSources withFailureReason(Supplier<Optional<String>> source) {
        return with(next -> next.failureReason = source);
    }

    /** Sets a fixed list of listeners. */
    public DashboardSources withListeners(List<? extends ListenerStats> sources) {
        List<ListenerStats> all = List.copyOf(sources);
        return withListeners(() -> all);
    }

    /**
     * Sets the listeners. A listener continues the statistics of the previous listener with the same name, unless
     * the counters of the new listener are lower.
     */
    public DashboardSources withListeners(Supplier<List<ListenerStats>> source) {
        return with(next -> next.listeners = source);
    }

    /** Sets the policies of HTTP requests. */
    public DashboardSources withPolicies(Supplier<List<PolicyStats>> source) {
        return with(next -> next.policies = source);
    }

    /** Sets the statistics of all nodes of the cluster; empty if the process is not in a cluster. */
    public DashboardSources withClusterSums(Supplier<Optional<ClusterSums>> source) {
        return with(next -> next.clusterSums = source);
    }

    /** Sets the object that removes nodes of the cluster. */
    public DashboardSources withClusterNodes(ClusterNodes source) {
        return with(next -> next.clusterNodes = source);
    }

    /** Sets the caches of HTTP responses. */
    public DashboardSources withCaches(HttpCaches source) {
        return with(next -> next.caches = source);
    }

    /** Sets the DNS frontend. The frontend must stay the same for the lifetime of the process. */
    public DashboardSources withDns(DnsStatistics source) {
        Optional<DnsStatistics> present = Optional.of(source);
        return withDns(() -> present);
    }

    /** Sets the DNS frontend; empty if there is none. */
    public DashboardSources withDns(Supplier<Optional<DnsStatistics>> source) {
        return with(next -> next.dns = source);
    }

    /** Sets the services of a DNS frontend that is never replaced. */
    public DashboardSources withDnsServices(DnsServices services) {
        Optional<DnsServices> present = Optional.of(services);
        return withDnsServices(() -> present);
    }

    /** Sets the services of the DNS frontend; empty if there is none. */
    public DashboardSources withDnsServices(Supplier<Optional<DnsServices>> source) {
        return with(next -> next.dnsServices = source);
    }

    /** Sets the DNS forwarder; empty if there is none. */
    public DashboardSources withForwarding(Supplier<Optional<DnsForwarding>> source) {
        return with(next -> next.forwarding = source);
    }

    /**
     * Enables {@code POST /api/v1/reload}. If the source is a {@link RecordingReloader}, the dashboard also shows
     * reloads that were triggered in other ways, such as by a signal.
     */
    public DashboardSources withReloader(Reloader source) {
        return with(next -> next.reloader = Optional.of(RecordingReloader.of(source, control.clock())));
    }

    /** Enables overrides of backends. */
    public DashboardSources withOperator(Operator source) {
        return with(next -> next.operator = Optional.of(source));
    }

    /** Sets the agents that report to this process; empty if this process accepts no agents. */
    public DashboardSources withAgents(Supplier<Optional<AgentDirectory>> source) {
        return with(next -> next.agents = source);
    }

    /** Sets the versions of the configuration of the cluster; empty if the process is not in a cluster. */
    public DashboardSources withSharedConfiguration(Supplier<Optional<SharedConfiguration>> source) {
        return with(next -> next.sharedConfiguration = source);
    }

    /** Sets the statistics of the cluster; empty if the process is not in a cluster. */
    public DashboardSources withCluster(Supplier<Optional<ClusterStats>> source) {
        return with(next -> next.cluster = source);
    }

    /** Sets the certificates that were ordered because clients requested their names; a bounded number. */
    public DashboardSources withOnDemandCertificates(Supplier<List<OrderedCertificate>> source) {
        return with(next -> next.onDemandCertificates = source);
    }

    /** Sets the certificates of configured names that are ordered by ACME. */
    public DashboardSources withOrderedCertificates(Supplier<List<OrderedCertificate>> source) {
        return with(next -> next.orderedCertificates = source);
    }

    /** Sets the node that orders certificates by ACME for all nodes of a cluster; empty if each process orders. */
    public DashboardSources withOrderingNode(Supplier<Optional<String>> source) {
        return with(next -> next.orderingNode = source);
    }

    /** Sets the counters of certificates that are ordered when clients request their names; empty if there are none. */
    public DashboardSources withOnDemandCounts(Supplier<List<OnDemandCount>> source) {
        return with(next -> next.onDemandCounts = source);
    }

    /** Sets the service that revokes certificates that were ordered by ACME. */
    public DashboardSources withRevoker(CertificateRevoker source) {
        return with(next -> next.revoker = source);
    }

    /** Sets the counters of the OTLP export; empty if it is not configured. */
    public DashboardSources withTelemetry(Supplier<Optional<TelemetryStats>> source) {
        return with(next -> next.telemetry = source);
    }

    /** Sets the statistics of service discovery. */
    public DashboardSources withDiscovery(Supplier<DiscoveryStats> source) {
        return with(next -> next.discovery = source);
    }

    /** Enables the API resources that show the active configuration. */
    public DashboardSources withConfiguration(ConfigurationView source) {
        return with(next -> next.configuration = Optional.of(source));
    }

    /**
     * Sets the watchdog's two counters: stalls of a hung thread, and stalls of a thread that got too little CPU
     * time.
     */
    public DashboardSources withStalls(LongSupplier hung, LongSupplier starved) {
        return with(next -> {
            next.stalls = hung;
            next.starvations = starved;
        });
    }

    /** Enables adding and removing backends at run time. */
    public DashboardSources withMembership(Membership source) {
        return with(next -> next.membership = Optional.of(source));
    }

    /** Enables overrides by external sources. */
    public DashboardSources withOverrides(ExternalOverrides source) {
        DashboardSources next = new DashboardSources(this);
        next.overrides = Optional.of(source);
        return next;
    }

    /** Enables the explanations of backends. */
    public DashboardSources withExplanations(BackendExplanations source) {
        DashboardSources next = new DashboardSources(this);
        next.explanations = Optional.of(source);
        return next;
    }

    public Supplier<Topology> topology() {
        return topology;
    }

    public ControlPlane control() {
        return control;
    }

    public Supplier<Readiness> readiness() {
        return readiness;
    }

    public Supplier<Optional<String>> failureReason() {
        return failureReason;
    }

    public Supplier<List<PolicyStats>> policies() {
        return policies;
    }

    public Supplier<Optional<ClusterSums>> clusterSums() {
        return clusterSums;
    }

    public ClusterNodes clusterNodes() {
        return clusterNodes;
    }

    public HttpCaches caches() {
        return caches;
    }

    public Supplier<List<ListenerStats>> listeners() {
        return listeners;
    }

    public Supplier<Optional<DnsStatistics>> dns() {
        return dns;
    }

    public Supplier<Optional<DnsServices>> dnsServices() {
        return dnsServices;
    }

    public Supplier<Optional<DnsForwarding>> forwarding() {
        return forwarding;
    }

    public Optional<RecordingReloader> reloader() {
        return reloader;
    }

    public Optional<Operator> operator() {
        return operator;
    }

    public Supplier<Optional<AgentDirectory>> agents() {
        return agents;
    }

    public Supplier<Optional<SharedConfiguration>> sharedConfiguration() {
        return sharedConfiguration;
    }

    public Supplier<Optional<ClusterStats>> cluster() {
        return cluster;
    }

    public Supplier<DiscoveryStats> discovery() {
        return discovery;
    }

    public Supplier<Optional<TelemetryStats>> telemetry() {
        return telemetry;
    }

    public Supplier<List<OrderedCertificate>> orderedCertificates() {
        return orderedCertificates;
    }

    public Supplier<List<OrderedCertificate>> onDemandCertificates() {
        return onDemandCertificates;
    }

    public Supplier<Optional<String>> orderingNode() {
        return orderingNode;
    }

    public Supplier<List<OnDemandCount>> onDemandCounts() {
        return onDemandCounts;
    }

    public CertificateRevoker revoker() {
        return revoker;
    }

    public Optional<ConfigurationView> configuration() {
        return configuration;
    }

    public LongSupplier stalls() {
        return stalls;
    }

    public LongSupplier starvations() {
        return starvations;
    }

    public Optional<Membership> membership() {
        return membership;
    }

    public Optional<ExternalOverrides> overrides() {
        return overrides;
    }

    public Optional<BackendExplanations> explanations() {
        return explanations;
    }

    public String version() {
        return version;
    }
}
