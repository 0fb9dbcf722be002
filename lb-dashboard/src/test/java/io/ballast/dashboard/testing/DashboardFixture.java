package io.ballast.dashboard.testing;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.balance.Member;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.ReloadReport;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.Topology;
import io.ballast.core.pool.TopologyBuilder;
import io.ballast.dashboard.Dashboard;
import io.ballast.dashboard.config.DashboardConfig;
import io.ballast.dashboard.config.Histograms;
import io.ballast.dashboard.config.ReadyWhen;
import io.ballast.dashboard.source.BackendSum;
import io.ballast.dashboard.source.CertificateRevoker;
import io.ballast.dashboard.source.ClusterStats;
import io.ballast.dashboard.source.ClusterSums;
import io.ballast.dashboard.source.DashboardSources;
import io.ballast.dashboard.source.DiscoveryStats;
import io.ballast.dashboard.source.DnsForwarding;
import io.ballast.dashboard.source.DnsServices;
import io.ballast.dashboard.source.DnsStatistics;
import io.ballast.dashboard.source.FlushResult;
import io.ballast.dashboard.source.HttpCaches;
import io.ballast.dashboard.source.ListenerStats;
import io.ballast.dashboard.source.NodeSum;
import io.ballast.dashboard.source.OnDemandCount;
import io.ballast.dashboard.source.OrderedCertificate;
import io.ballast.dashboard.source.PolicyStats;
import io.ballast.dashboard.source.Readiness;
import io.ballast.dashboard.source.RecordingReloader;
import io.ballast.dashboard.source.SharedConfiguration;
import io.ballast.dashboard.source.TelemetryStats;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** A dashboard on a free port over an in-memory topology; tests set its traffic and health. */
public final class DashboardFixture implements AutoCloseable {

    private static final List<OrderedCertificate> ORDERED = List.of(new OrderedCertificate(
            "ordered.example",
            /* issuer= */ Optional.of("ca.example"),
            /* isOnDemand= */ false,
            /* notAfter= */ Optional.empty(),
            /* nextOrder= */ Instant.EPOCH,
            /* lastSuccess= */ Optional.empty(),
            /* failures= */ 2,
            /* error= */ Optional.empty()));
    private static final List<OnDemandCount> ON_DEMAND = List.of(new OnDemandCount("issued", /* count= */ 3));

    /** A cluster that n2 leads, seen by n1; n3 is not connected. A change is pending. */
    public static final ClusterStats CLUSTER = new ClusterStats(
            "edge",
            "n1",
            /* leader= */ Optional.of("n2"),
            List.of("n1", "n2", "n3"),
            List.of(
                    new ClusterStats.Node(
                            "n1", "10.0.0.1:7946", Instant.EPOCH, /* isVoter= */ true, 0, Optional.empty()),
                    new ClusterStats.Node(
                            "n2",
                            "10.0.0.2:7946",
                            Instant.EPOCH,
                            /* isVoter= */ true,
                            1_500_000,
                            Optional.of(Instant.ofEpochSecond(86_400)))),
            /* applied= */ 42,
            /* facts= */ 7,
            /* unknownFacts= */ 1,
            List.of(new ClusterStats.Pending("override/weight/web/10.0.0.9:80", Instant.EPOCH)),
            /* rejected= */ 1,
            /* refused= */ 2,
            /* failedHandshakes= */ 3,
            /* dropped= */ 4,
            new ClusterStats.Observations(
                    /* ownRows= */ 5,
                    /* otherRows= */ 6,
                    /* sent= */ 7,
                    /* received= */ 8,
                    /* lost= */ 9,
                    /* refused= */ 10),
            new ClusterStats.Votes(/* others= */ 6, /* overruled= */ 1, /* overrulings= */ 3, /* unchecked= */ 2),
            new ClusterStats.Configuration(
                    /* active= */ 4,
                    List.of(new SharedConfiguration.NodeState(
                            "n1", /* isLocal= */ false, 3, "ab", "version 4 not applied: no space")),
                    /* isOutdated= */ true,
                    /* failures= */ 2),
            new ClusterStats.LimitMessages(/* sentBytes= */ 11, /* receivedBytes= */ 12, /* lost= */ 13));

    /** The counters of n1 and n2; n3 is missing. */
    private static final ClusterSums SUMS = new ClusterSums(
            "n1",
            new TreeMap<>(Map.of(
                    "n1",
                    new NodeSum(
                            List.of(
                                    new BackendSum("web", "10.0.0.1:80", 10, 1, 9, 9_000_000),
                                    new BackendSum("web", "", 5, 0, 0, 0)),
                            /* dnsQueries= */ 7),
                    "n2",
                    new NodeSum(
                            List.of(new BackendSum("web", "10.0.0.1:80", 20, 2, 18, 36_000_000)),
                            /* dnsQueries= */ 8))),
            List.of("n3"));

    public static final String VERSION = "1.2.3";

    private static final int SMALL_BUFFER = 4 * 1024;

    private final HttpClient client = HttpClient.newHttpClient();
    private final ControlPlane control = ControlPlane.start(Clock.systemUTC());
    /** Starts a dashboard, for example with another clock. */
    public interface Starter {
        Dashboard start(DashboardConfig config, DashboardSources sources) throws IOException;
    }

    private volatile Readiness readiness = Readiness.READY;
    private volatile Topology topology;
    private volatile long stalls;
    private volatile long starvations;
    private volatile DiscoveryStats discovery = new DiscoveryStats(
            List.of(new DiscoveryStats.Source(
                    "found", "dns app.internal", 2, Optional.of(Instant.ofEpochSecond(1_700_000_000)), 3)),
            /* isRefused= */ false);
    private final FakeListener listener = new FakeListener();
    private final FakeReloader reloader = new FakeReloader();
    private final FakeOperator operator = new FakeOperator();
    private final FakeExternalOverrides overrides = new FakeExternalOverrides();
    private final RecordingReloader recorded = RecordingReloader.of(reloader, Clock.systemUTC());
    private final DashboardConfig config;
    private final Dashboard dashboard;
    private volatile List<ListenerStats> listeners = List.of(listener);
    private volatile Optional<DnsStatistics> dns = Optional.of(new FakeDns());
    private volatile Optional<DnsServices> services = Optional.empty();
    private volatile HttpCaches caches = (selection, who) -> FlushResult.of(0);
    private volatile List<PolicyStats> policies = List.of();
    private volatile List<OrderedCertificate> onDemandCertificates = List.of();
    private volatile CertificateRevoker revoker = (name, reason, who) -> CompletableFuture.completedFuture(true);
    private final FixedAgents agents = new FixedAgents();
    private volatile boolean hasAgents = true;
    private volatile Optional<ClusterStats> cluster = Optional.of(CLUSTER);
    private volatile Optional<SharedConfiguration> sharedConfiguration = Optional.empty();
    private volatile Optional<DnsForwarding> forwarding = Optional.of(new FakeForwarding());

    /** Starts a dashboard over one pool {@code web} with backends 127.0.0.1:9001 and up. */
    public DashboardFixture(int backends) throws IOException {
        this(backends, Histograms.PER_BACKEND);
    }

    public DashboardFixture(int backends, Histograms histograms) throws IOException {
        this(backends, new DashboardConfig(true, new HostPort("127.0.0.1", 0), ReadyWhen.EVERY_LISTENER, histograms));
    }

    public DashboardFixture(int backends, DashboardConfig config) throws IOException {
        this(backends, config, Dashboard::start);
    }

    public DashboardFixture(int backends, DashboardConfig config, Starter starter) throws IOException {
        this.topology = topology(Map.of("web", backends));
        this.config = config;
        this.dashboard = starter.start(
                config,
                DashboardSources.of(() -> topology, control, VERSION)
                        .withReadiness(() -> readiness)
                        .withListeners(() -> listeners)
                        .withPolicies(() -> policies)
                        .withDns(() -> dns)
                        .withOrderedCertificates(() -> ORDERED)
                        .withOnDemandCertificates(() -> onDemandCertificates)
                        .withOnDemandCounts(() -> ON_DEMAND)
                        .withTelemetry(() -> Optional.of(new TelemetryStats(1, 2, 3, 4, 5)))
                        .withDiscovery(() -> discovery)
                        .withDnsServices(() -> services)
                        .withCaches((selection, who) -> caches.purge(selection, who))
                        .withRevoker((name, reason, who) -> revoker.revoke(name, reason, who))
                        .withForwarding(() -> forwarding)
                        .withCluster(() -> cluster)
                        .withSharedConfiguration(() -> sharedConfiguration)
                        .withClusterSums(() -> cluster.map(present -> SUMS))
                        .withAgents(() -> hasAgents ? Optional.of(agents) : Optional.empty())
                        .withReloader(recorded)
                        .withOperator(operator)
                        .withOverrides(overrides)
                        .withExplanations((pool, address) -> CompletableFuture.completedFuture(Optional.empty()))
                        .withConfiguration(new FakeConfiguration())
                        .withStalls(() -> stalls, () -> starvations));
    }

    /** Starts a dashboard with one backend and the users of {@link TestUsers}. */
    public static DashboardFixture withUsers() throws IOException {
        return new DashboardFixture(
                1, new DashboardConfig(true, new HostPort("127.0.0.1", 0)).withAccess(TestUsers.ALL));
    }

    public static Topology topology(Map<String, Integer> backendsByPool) {
        Map<String, PoolConfig> pools = new LinkedHashMap<>();
        backendsByPool.forEach((name, count) -> pools.put(name, pool(name, count)));
        return new TopologyBuilder(
                        address -> new InetSocketAddress(address.host(), address.port()),
                        /* shards= */ 2,
                        Clock.systemUTC())
                .build(pools);
    }

    /** Returns the agents, which record commands. */
    public FixedAgents agents() {
        return agents;
    }

    /** Removes the agents, as in a process that accepts no agents. */
    public void disableAgents() {
        hasAgents = false;
    }

    /** Sets the policies. */
    public void policies(List<PolicyStats> next) {
        policies = next;
    }

    /** Sets the versions of the configuration of the cluster. */
    public void sharedConfiguration(SharedConfiguration next) {
        sharedConfiguration = Optional.of(next);
    }

    /** Sets the statistics of the cluster; empty if the process is not in a cluster. */
    public void cluster(Optional<ClusterStats> next) {
        cluster = next;
    }

    /** Returns the topology after a reload with these pools. */
    public static Topology after(Topology former, List<Pool> pools) {
        Map<String, Pool> byName = new LinkedHashMap<>();
        pools.forEach(pool -> byName.put(pool.name(), pool));
        return new Topology(former.configs(), byName, former.generation() + 1);
    }

    /** Returns a pool with the given members. */
    public static Pool with(Pool former, List<Member> members) {
        return new Pool(former.config(), members, /* shards= */ 2);
    }

    private static PoolConfig pool(String name, int count) {
        List<BackendConfig> backends = IntStream.rangeClosed(1, count)
                .mapToObj(i -> new BackendConfig(new HostPort("127.0.0.1", 9000 + i), 1, 0))
                .toList();
        return PoolConfig.builder(name).backends(backends).build();
    }

    public URI uri(String path) {
        return URI.create(
                "http://127.0.0.1:" + dashboard.address().orElseThrow().getPort() + path);
    }

    public HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        return send("GET", path, headers);
    }

    public HttpResponse<String> send(String method, String path, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path))
                .timeout(Duration.ofSeconds(10))
                .method(method, BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    /** Sends a POST asynchronously, without a body if it is empty. */
    public CompletableFuture<HttpResponse<String>> post(String path, String body, String... headers) {
        return client.sendAsync(posting(uri(path), body, headers), BodyHandlers.ofString());
    }

    /** Returns the status of a response from a dashboard without optional sources. */
    public int statusWithoutSources(String path) throws IOException, InterruptedException {
        DashboardSources sources = DashboardSources.of(() -> topology, control, VERSION);
        try (Dashboard plain = Dashboard.start(config, sources)) {
            URI uri = URI.create(
                    "http://127.0.0.1:" + plain.address().orElseThrow().getPort() + path);
            return client.send(posting(uri, ""), BodyHandlers.ofString()).statusCode();
        }
    }

    private static HttpRequest posting(URI uri, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .timeout(Duration.ofSeconds(10))
                .POST(body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return request.build();
    }

    /** Connects and sends a request. The caller reads the response and closes the socket. */
    public Socket open(String request) throws IOException {
        InetSocketAddress address = dashboard.address().orElseThrow();
        Socket socket = new Socket();
        socket.setReceiveBufferSize(SMALL_BUFFER);
        socket.connect(address);
        socket.setSoTimeout(10_000);
        socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }

    /** Sends a request, and returns everything that the server sends until it closes the connection. */
    public String raw(String request) throws IOException {
        InetSocketAddress address = dashboard.address().orElseThrow();
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    public HttpClient client() {
        return client;
    }

    public Dashboard dashboard() {
        return dashboard;
    }

    public FakeListener listener() {
        return listener;
    }

    public ControlPlane control() {
        return control;
    }

    public Backend backend(int index) {
        return topology.pool("web").members().get(index).backend();
    }

    public void topology(Topology next) {
        topology = next;
    }

    public Topology topology() {
        return topology;
    }

    public void listeners(List<ListenerStats> next) {
        listeners = next;
    }

    public void dns(Optional<DnsStatistics> next) {
        dns = next;
    }

    public void caches(HttpCaches next) {
        caches = next;
    }

    public void onDemandCertificates(List<OrderedCertificate> next) {
        onDemandCertificates = next;
    }

    public void revoker(CertificateRevoker next) {
        revoker = next;
    }

    public void dnsServices(Optional<DnsServices> next) {
        services = next;
    }

    public void forwarding(Optional<DnsForwarding> next) {
        forwarding = next;
    }

    public FakeReloader reloader() {
        return reloader;
    }

    public FakeExternalOverrides overrides() {
        return overrides;
    }

    public FakeOperator operator() {
        return operator;
    }

    /** Runs a reload, as requested by another caller, with this outcome. */
    public void reload(ReloadReport.Outcome outcome) throws InterruptedException {
        CompletableFuture<ReloadReport> report = recorded.reload(/* dryRun= */ false, "test");
        reloader.next().answer(outcome);
        report.join();
    }

    /** Marks the discovered backends as refused. */
    public void refuseDiscovered() {
        discovery = new DiscoveryStats(discovery.sources(), /* isRefused= */ true);
    }

    /** Sets the number of stalls that the watchdog reports. */
    public void stalls(long count) {
        stalls = count;
    }

    /** Sets the number of stalls that the watchdog attributes to too little CPU time. */
    public void starvations(long count) {
        starvations = count;
    }

    /** Returns the dashboard's reloader, for reloads that other callers request. */
    public RecordingReloader recorded() {
        return recorded;
    }

    /** Returns the configuration that the dashboard was started with. */
    public DashboardConfig config() {
        return config;
    }

    public void readiness(Readiness next) {
        readiness = next;
    }

    /** Records successful requests that took {@code millis}. Call from one thread only. */
    public void traffic(int index, int requests, int millis) {
        Backend backend = backend(index);
        for (int i = 0; i < requests; i++) {
            backend.stats().counters(i % 2).increment(BackendCounter.REQUESTS);
            backend.stats().counters(i % 2).increment(BackendCounter.RESPONSES_2XX);
            backend.stats().latency(i % 2).record(TimeUnit.MILLISECONDS.toNanos(millis));
        }
    }

    /** Marks a backend as down on the control plane, and waits until this is done. */
    public void down(int index, String reason) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        control.execute(() -> {
            Backend backend = backend(index);
            backend.health(new HealthStatus(
                    BackendState.DOWN,
                    control.clock().instant(),
                    HealthStatus.Origin.CHECK,
                    reason,
                    new HealthStatus.LastCheck(/* ok= */ false, Duration.ofMillis(3), reason)));
            topology.pool("web").refresh();
            control.timeline().add(HealthStatus.Origin.CHECK, backend.toString(), "went down: " + reason);
            done.countDown();
        });
        if (!done.await(20, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the control plane did not run");
        }
    }

    /** Records a successful check of a backend without a change of state. Call from one thread only. */
    public void checked(int index, int millis) {
        Backend backend = backend(index);
        backend.health(
                backend.health().with(new HealthStatus.LastCheck(/* ok= */ true, Duration.ofMillis(millis), "200 OK")));
    }

    @Override
    public void close() {
        dashboard.close();
        control.close();
    }
}
