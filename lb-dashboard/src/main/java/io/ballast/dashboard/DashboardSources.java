package io.ballast.dashboard;

import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.Reloader;
import io.ballast.core.health.Operator;
import io.ballast.core.pool.Membership;
import io.ballast.core.pool.Topology;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Everything that the dashboard shows. What is supplied may be another thing after a reload; it is asked for about once a
 * second on the dashboard's thread and must not block.
 *
 * <p>Thread safety: immutable; each {@code with} method makes another.
 */
public final class DashboardSources {

    private final Supplier<Topology> topology;
    private final ControlPlane control;
    private final String version;
    private Supplier<Readiness> readiness = () -> Readiness.READY;
    private Supplier<Optional<String>> end = Optional::empty;
    private Supplier<List<ListenerStats>> listeners = List::of;
    private Supplier<Optional<DnsStats>> dns = Optional::empty;
    private Supplier<Optional<DnsServices>> dnsServices = Optional::empty;
    private Supplier<Optional<DnsForwarding>> forwarding = Optional::empty;
    private Optional<RecordedReloader> reloader = Optional.empty();
    private Optional<Operator> operator = Optional.empty();
    private Supplier<DiscoveryStats> discovery = () -> DiscoveryStats.NONE;
    private Optional<ConfigurationView> configuration = Optional.empty();
    private LongSupplier stalls = () -> 0;
    private LongSupplier starvations = () -> 0;
    private Optional<Membership> membership = Optional.empty();

    private DashboardSources(Supplier<Topology> topology, ControlPlane control, String version) {
        this.topology = topology;
        this.control = control;
        this.version = version;
    }

    private DashboardSources(DashboardSources from) {
        this(from.topology, from.control, from.version);
        this.readiness = from.readiness;
        this.end = from.end;
        this.listeners = from.listeners;
        this.dns = from.dns;
        this.dnsServices = from.dnsServices;
        this.forwarding = from.forwarding;
        this.reloader = from.reloader;
        this.operator = from.operator;
        this.discovery = from.discovery;
        this.configuration = from.configuration;
        this.stalls = from.stalls;
        this.starvations = from.starvations;
        this.membership = from.membership;
    }

    /**
     * Sources without frontends, always ready, never reloaded; the {@code with} methods add to them.
     *
     * @param topology the one in force
     * @param control whose timeline is shown
     * @param version of the product, for display
     */
    public static DashboardSources of(Supplier<Topology> topology, ControlPlane control, String version) {
        return new DashboardSources(topology, control, version);
    }

    /** Whether new traffic may come. */
    public DashboardSources withReadiness(Supplier<Readiness> source) {
        DashboardSources next = new DashboardSources(this);
        next.readiness = source;
        return next;
    }

    /** Why the process is about to end; empty while all is well. */
    public DashboardSources withEnd(Supplier<Optional<String>> source) {
        DashboardSources next = new DashboardSources(this);
        next.end = source;
        return next;
    }

    /** Listeners that stay as they are. */
    public DashboardSources withListeners(List<? extends ListenerStats> sources) {
        List<ListenerStats> all = List.copyOf(sources);
        return withListeners(() -> all);
    }

    /** The frontends for clients. One of the same name goes on where the former was, unless it has counted less. */
    public DashboardSources withListeners(Supplier<List<ListenerStats>> source) {
        DashboardSources next = new DashboardSources(this);
        next.listeners = source;
        return next;
    }

    /** A DNS frontend that stays. */
    public DashboardSources withDns(DnsStats source) {
        Optional<DnsStats> present = Optional.of(source);
        return withDns(() -> present);
    }

    /** The DNS frontend, while there is one. */
    public DashboardSources withDns(Supplier<Optional<DnsStats>> source) {
        DashboardSources next = new DashboardSources(this);
        next.dns = source;
        return next;
    }

    /** Services of a DNS frontend that stays. */
    public DashboardSources withDnsServices(DnsServices services) {
        Optional<DnsServices> present = Optional.of(services);
        return withDnsServices(() -> present);
    }

    /** The services of the DNS frontend, while there is one. */
    public DashboardSources withDnsServices(Supplier<Optional<DnsServices>> source) {
        DashboardSources next = new DashboardSources(this);
        next.dnsServices = source;
        return next;
    }

    /** What is told of queries for names outside the zones, while there is a DNS frontend that forwards them. */
    public DashboardSources withForwarding(Supplier<Optional<DnsForwarding>> source) {
        DashboardSources next = new DashboardSources(this);
        next.forwarding = source;
        return next;
    }

    /** Has {@code POST /api/v1/reload} served. What others ask of a {@link RecordedReloader} shows too. */
    public DashboardSources withReloader(Reloader source) {
        DashboardSources next = new DashboardSources(this);
        next.reloader = Optional.of(RecordedReloader.of(source, control.clock()));
        return next;
    }

    /** Has orders about backends taken. */
    public DashboardSources withOperator(Operator source) {
        DashboardSources next = new DashboardSources(this);
        next.operator = Optional.of(source);
        return next;
    }

    /** The sources that tell which backends there are. */
    public DashboardSources withDiscovery(Supplier<DiscoveryStats> source) {
        DashboardSources next = new DashboardSources(this);
        next.discovery = source;
        return next;
    }

    /** Has the configuration in force told. */
    public DashboardSources withConfiguration(ConfigurationView source) {
        DashboardSources next = new DashboardSources(this);
        next.configuration = Optional.of(source);
        return next;
    }

    /** Has the watchdog's counts shown: of threads that hung for a while, and of threads that got too little CPU. */
    public DashboardSources withStalls(LongSupplier hung, LongSupplier starved) {
        DashboardSources next = new DashboardSources(this);
        next.stalls = hung;
        next.starvations = starved;
        return next;
    }

    /** Has backends added and removed. */
    public DashboardSources withMembership(Membership source) {
        DashboardSources next = new DashboardSources(this);
        next.membership = Optional.of(source);
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

    public Supplier<Optional<String>> end() {
        return end;
    }

    public Supplier<List<ListenerStats>> listeners() {
        return listeners;
    }

    public Supplier<Optional<DnsStats>> dns() {
        return dns;
    }

    public Supplier<Optional<DnsServices>> dnsServices() {
        return dnsServices;
    }

    public Supplier<Optional<DnsForwarding>> forwarding() {
        return forwarding;
    }

    public Optional<RecordedReloader> reloader() {
        return reloader;
    }

    public Optional<Operator> operator() {
        return operator;
    }

    public Supplier<DiscoveryStats> discovery() {
        return discovery;
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

    public String version() {
        return version;
    }
}
