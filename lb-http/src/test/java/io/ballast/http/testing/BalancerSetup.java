package io.ballast.http.testing;

import io.ballast.core.config.Address;
import io.ballast.core.config.BackendProtocol;
import io.ballast.core.config.BackendTls;
import io.ballast.core.config.CircuitBreakerConfig;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.MaintenancePage;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.config.QueueConfig;
import io.ballast.core.config.RetryConfig;
import io.ballast.core.config.StrategyConfig;
import io.ballast.core.config.UnixSocket;
import io.ballast.core.config.errorpage.ErrorPages;
import io.ballast.core.config.header.HeaderRules;
import io.ballast.core.config.header.HostHeader;
import io.ballast.core.geo.Geography;
import io.ballast.core.net.Cidr;
import io.ballast.core.pool.Topology;
import io.ballast.core.pool.TopologyBuilder;
import io.ballast.core.testing.Connections;
import io.ballast.http.HttpFrontend;
import io.ballast.http.config.AccessLogConfig;
import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.config.Forwarding;
import io.ballast.http.config.ForwardingHeader;
import io.ballast.http.config.ForwardingPolicies;
import io.ballast.http.config.HttpConfig;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.config.ListenerProtocol;
import io.ballast.http.config.PathRules;
import io.ballast.http.config.RequestIdConfig;
import io.ballast.http.config.RouteAction;
import io.ballast.http.config.RouteConfig;
import io.ballast.http.config.RouteMatch;
import io.ballast.http.config.SessionConfig;
import io.ballast.http.config.SlashRule;
import io.ballast.http.config.Underscores;
import io.ballast.http.h3.QuicSupport;
import io.ballast.http.net.PoolTls;
import io.ballast.http.net.Workers;
import io.ballast.http.policy.NamedPolicy;
import io.ballast.http.policy.PolicySource;
import io.ballast.net.config.ClientLimits;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.config.ProxyProtocolConfig;
import io.ballast.net.config.SocketFile;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.Limits;
import io.ballast.net.transport.NettyTransport;
import io.netty.channel.socket.SocketChannel;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a {@link TestBalancer}. Unset options have their defaults, with round-robin and no health
 * checks.
 */
public final class BalancerSetup {

    static final String POOL = "pool";

    private static final long SEED = 42;

    private final NettyTransport transport;
    private final List<Address> backends = new ArrayList<>();
    private final List<RouteConfig> routes = new ArrayList<>();
    private final PoolOptions pools = new PoolOptions();
    private final ListenerOptions listener = new ListenerOptions();
    private final Map<String, Address> otherPools = new LinkedHashMap<>();
    private final Map<String, Integer> otherListeners = new LinkedHashMap<>();
    private String name = "web";
    private Duration grace = Duration.ZERO;
    private boolean hasDefaultRoute = true;
    private Supplier<Optional<String>> http3Check = QuicSupport::unavailabilityReason;
    private int loops = 2;
    private long transitBytes;
    private String address = "127.0.0.1";
    private int port;
    private @Nullable UnixSocket bind;
    private Optional<CircuitBreakerConfig> circuitBreaker = Optional.empty();
    private @Nullable Geography geography;

    private BalancerSetup(NettyTransport transport) {
        this.transport = transport;
    }

    public static BalancerSetup on(TransportKind transport) {
        return new BalancerSetup(NettyTransport.choose(transport));
    }

    /**
     * Uses NIO, and limits backend connections to the number in {@link ScarceChannel}, as if descriptors were
     * exhausted.
     */
    public static BalancerSetup shortOfDescriptors() {
        return reachingBackendsBy(ScarceChannel.class);
    }

    /** Uses NIO, and backend connections that {@link StallingChannel} can stall. */
    public static BalancerSetup stalling() {
        return reachingBackendsBy(StallingChannel.class);
    }

    private static BalancerSetup reachingBackendsBy(Class<? extends SocketChannel> connections) {
        NettyTransport nio = NettyTransport.choose(TransportKind.NIO);
        return new BalancerSetup(new NettyTransport(
                nio.kind(),
                nio.why(),
                nio.sharesPort(),
                nio.ioHandler(),
                nio.serverChannel(),
                connections,
                nio.datagramChannel()));
    }

    public BalancerSetup backend(Address address) {
        backends.add(address);
        return this;
    }

    public BalancerSetup backend(TestBackend backend) {
        return backend(backend.address());
    }

    /** Adds a fixed response for a path; other paths go to the pool. */
    public BalancerSetup respond(String path, int status, String body) {
        routes.add(RouteConfig.of(null, path, new RouteAction.Respond(status, "text/plain", body)));
        return this;
    }

    /** Adds a route before the default route to the pool. */
    public BalancerSetup route(RouteConfig route) {
        routes.add(route);
        return this;
    }

    /** Removes the default route, so that other requests get a 404. */
    public BalancerSetup withoutDefaultRoute() {
        hasDefaultRoute = false;
        return this;
    }

    /** Adds a pool for routes. */
    public BalancerSetup pool(String name, TestBackend backend) {
        return pool(name, backend.address());
    }

    /** Adds a pool for routes and policies. */
    public BalancerSetup pool(String name, Address backend) {
        otherPools.put(name, backend);
        return this;
    }

    /** Adds a fixed response for a path, with its own header rules. */
    public BalancerSetup respond(String path, int status, String body, HeaderRules rules) {
        routes.add(new RouteConfig(
                RouteMatch.of(null, path),
                Optional.empty(),
                new RouteAction.Respond(status, "text/plain", body),
                rules));
        return this;
    }

    /** Adds a route from a path to the pool, with its own header rules. */
    public BalancerSetup route(String path, HeaderRules rules) {
        routes.add(new RouteConfig(RouteMatch.of(null, path), Optional.empty(), new RouteAction.ToPool(POOL), rules));
        return this;
    }

    /** Sets the name of the listener. */
    public BalancerSetup name(String value) {
        name = value;
        return this;
    }

    /** Adds a listener like the first, on a port that the system chooses. */
    public BalancerSetup listener(String another) {
        return listener(another, /* at= */ 0);
    }

    /** Adds a listener like the first, on the given port. */
    public BalancerSetup listener(String another, int at) {
        otherListeners.put(another, at);
        return this;
    }

    /** Removes an added listener. */
    public BalancerSetup withoutListener(String another) {
        otherListeners.remove(another);
        return this;
    }

    /** Sets the grace period of a removed listener. */
    public BalancerSetup grace(Duration value) {
        grace = value;
        return this;
    }

    /** Removes all routes except the default. */
    public BalancerSetup withoutRoutes() {
        routes.clear();
        return this;
    }

    public BalancerSetup loops(int count) {
        loops = count;
        return this;
    }

    /** Sets the limit of buffered bytes in transit, instead of a share of the JVM's limit. */
    public BalancerSetup transitBytes(long max) {
        transitBytes = max;
        return this;
    }

    /** Sets the port; by default, the system chooses a free port. */
    public BalancerSetup port(int number) {
        port = number;
        return this;
    }

    /** Sets the listen address, instead of loopback. */
    public BalancerSetup address(String value) {
        address = value;
        return this;
    }

    /** Listens on a Unix socket. */
    public BalancerSetup bind(UnixSocket address, SocketFile access) {
        bind = address;
        listener.socket = access;
        return this;
    }

    public BalancerSetup deadlines(ClientDeadlines value) {
        listener.deadlines = value;
        return this;
    }

    public BalancerSetup limits(ClientLimits value) {
        listener.limits = value;
        return this;
    }

    public BalancerSetup limits(Limits value) {
        return limits(value.build());
    }

    public BalancerSetup connections(Connections value) {
        pools.connections = value;
        return this;
    }

    /** Sets the backend protocol. */
    public BalancerSetup protocol(BackendProtocol protocol) {
        pools.connections.protocol(protocol);
        return this;
    }

    public BalancerSetup maxInFlight(int max) {
        pools.connections.maxInFlight(max);
        return this;
    }

    public BalancerSetup maxConnections(int max) {
        pools.connections.maxConnections(max);
        return this;
    }

    public BalancerSetup retry(RetryConfig value) {
        pools.retry = value;
        return this;
    }

    public BalancerSetup queue(int size, Duration timeout) {
        pools.queue = new QueueConfig(size, timeout);
        return this;
    }

    public BalancerSetup forwarding(Forwarding value) {
        return forwarding(ForwardingPolicies.of(value));
    }

    public BalancerSetup forwarding(ForwardingPolicies value) {
        listener.forwarding = value;
        return this;
    }

    public BalancerSetup forwardingHeaders(Set<ForwardingHeader> value) {
        listener.forwardingHeaders = value;
        return this;
    }

    public BalancerSetup paths(SlashRule encodedSlash, SlashRule backslash) {
        listener.paths = new PathRules(encodedSlash, backslash);
        return this;
    }

    public BalancerSetup trustedProxies(String... networks) {
        listener.trustedProxies = Arrays.stream(networks).map(Cidr::parse).toList();
        return this;
    }

    public BalancerSetup underscores(Underscores value) {
        listener.underscores = value;
        return this;
    }

    /** Sets the header rules of the listener. */
    public BalancerSetup headers(HeaderRules rules) {
        listener.headers = rules;
        return this;
    }

    /** Sets the regions of the backends, in order. */
    public BalancerSetup regions(Geography where, String... ofBackends) {
        geography = where;
        pools.regions = List.of(ofBackends);
        return this;
    }

    /** Sets the strategy of the pools. */
    public BalancerSetup strategy(StrategyConfig value) {
        pools.strategy = value;
        return this;
    }

    /** Sets the panic threshold: below this percentage of healthy backends, all backends are used. */
    public BalancerSetup panicBelow(int percent) {
        pools.panicBelow = percent;
        return this;
    }

    /** Sets the header rules of the pool. */
    public BalancerSetup poolHeaders(HeaderRules rules) {
        pools.headers = rules;
        return this;
    }

    public BalancerSetup requestId(RequestIdConfig value) {
        listener.requestId = Optional.of(value);
        return this;
    }

    public BalancerSetup accessLog(AccessLogConfig value) {
        listener.accessLog = Optional.of(value);
        return this;
    }

    /** Sets the protocols that clients may upgrade to. */
    public BalancerSetup upgrades(String... protocols) {
        listener.upgrades = List.of(protocols);
        return this;
    }

    /** Enables TLS for clients. */
    public BalancerSetup tls(ListenerTls value) {
        listener.tls = Optional.of(value);
        return this;
    }

    /** Enables HTTP/3, which requires TLS. */
    public BalancerSetup http3() {
        return http3(true);
    }

    /** Enables or disables HTTP/3. */
    public BalancerSetup http3(boolean isOn) {
        listener.http3 = isOn;
        return this;
    }

    /** Makes HTTP/3 unavailable for this reason. */
    public BalancerSetup withoutQuic(String reason) {
        http3Check = () -> Optional.of(reason);
        return this;
    }

    /** Makes the listener a TCP or UDP listener. */
    public BalancerSetup protocol(ListenerProtocol value) {
        return session(value, SessionConfig.of(value));
    }

    /** Makes the listener a TCP or UDP listener with its own timeouts. */
    public BalancerSetup session(ListenerProtocol value, SessionConfig times) {
        listener.protocol = value;
        listener.session = Optional.of(times);
        return this;
    }

    /** Expects the PROXY protocol from these trusted proxies. */
    public BalancerSetup proxyProtocol(String... trusted) {
        listener.proxyProtocol = Optional.of(
                new ProxyProtocolConfig(Arrays.stream(trusted).map(Cidr::parse).toList()));
        return this;
    }

    /** Sets the error pages of the listeners. */
    public BalancerSetup errorPages(ErrorPages value) {
        listener.errorPages = value;
        return this;
    }

    /** Sets the error pages of the pools. */
    public BalancerSetup poolErrorPages(ErrorPages value) {
        pools.errorPages = value;
        return this;
    }

    /** Sets the maintenance page of the pools. */
    public BalancerSetup maintenance(MaintenancePage value) {
        pools.maintenance = Optional.of(value);
        return this;
    }

    public BalancerSetup host(HostHeader value) {
        pools.host = value;
        return this;
    }

    /** Enables TLS to backends. */
    public BalancerSetup backendTls(BackendTls value) {
        pools.tls = Optional.of(value);
        return this;
    }

    /**
     * Sets the circuit breaker of the pool, so that routes use its fallback. {@link #policies} sets the policy of the
     * circuit breaker.
     */
    public BalancerSetup circuitBreaker(CircuitBreakerConfig value) {
        circuitBreaker = Optional.of(value);
        return this;
    }

    public TestBalancer start() throws BindException {
        TopologyBuilder builder = new TopologyBuilder(
                at -> new InetSocketAddress(at.host(), at.port()), loops, Clock.systemUTC(), () -> geography);
        Topology topology = builder.build(pools());
        SplittableRandom seed = new SplittableRandom(SEED);
        Workers workers = transitBytes == 0
                ? Workers.start(transport, loops, seed)
                : Workers.start(transport, loops, seed, transitBytes);
        try {
            Queue<String> failures = new ConcurrentLinkedQueue<>();
            PoolTls backendTls = PoolTls.open(tlsInputs());
            HttpFrontend frontend = HttpFrontend.bind(
                    config(),
                    topology,
                    policies(),
                    workers,
                    (backend, reason) -> failures.add(reason),
                    backendTls,
                    http3Check);
            frontend.accept();
            return new TestBalancer(builder, topology, workers, frontend, backendTls, failures);
        } catch (BindException | RuntimeException e) {
            workers.close();
            throw e;
        }
    }

    /** Sets the policies of all listeners. */
    public BalancerSetup policies(NamedPolicy... all) {
        listener.policies = List.of(all);
        return this;
    }

    PolicySource policies() {
        return names -> listener.policies.stream()
                .filter(policy -> names.contains(policy.name()))
                .toList();
    }

    /** Returns the inputs of {@link PoolTls}. */
    public PoolTls.Inputs tlsInputs() {
        return new PoolTls.Inputs(config().listeners(), pools(), List.of());
    }

    /** Returns the configuration of the HTTP frontend. */
    public HttpConfig config() {
        List<RouteConfig> all = new ArrayList<>(routes);
        if (hasDefaultRoute) {
            all.add(RouteConfig.of(null, null, new RouteAction.ToPool(POOL)));
        }
        List<ListenerConfig> listeners = new ArrayList<>();
        listeners.add(listener.build(name, bind == null ? new HostPort(address, port) : bind, all));
        otherListeners.forEach((other, at) -> listeners.add(listener.build(other, new HostPort("127.0.0.1", at), all)));
        return new HttpConfig(listeners, grace);
    }

    Map<String, PoolConfig> pools() {
        Map<String, PoolConfig> all = new LinkedHashMap<>();
        all.put(
                POOL,
                pools.build(POOL, backends).toBuilder()
                        .circuitBreaker(circuitBreaker)
                        .build());
        otherPools.forEach((name, address) -> all.put(name, pools.build(name, List.of(address))));
        return all;
    }
}
