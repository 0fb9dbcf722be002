package io.ballast.http.testing;

import io.ballast.core.config.Address;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.BackendProtocol;
import io.ballast.core.config.BackendTls;
import io.ballast.core.config.HeaderRules;
import io.ballast.core.config.HostHeader;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.config.QueueConfig;
import io.ballast.core.config.RetryConfig;
import io.ballast.core.config.StrategyConfig;
import io.ballast.core.config.UnixSocket;
import io.ballast.core.geo.Geography;
import io.ballast.core.net.Cidr;
import io.ballast.core.pool.Topology;
import io.ballast.core.pool.TopologyBuilder;
import io.ballast.core.testing.Connections;
import io.ballast.core.testing.Pools;
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
import io.ballast.http.net.PoolTls;
import io.ballast.http.net.Workers;
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
import org.jspecify.annotations.Nullable;

/** What a {@link TestBalancer} is to be; everything not said is the default, with round-robin and no health checks. */
public final class BalancerSetup {

    static final String POOL = "pool";

    private static final long SEED = 42;

    private final NettyTransport transport;
    private final List<Address> backends = new ArrayList<>();
    private final List<RouteConfig> routes = new ArrayList<>();
    private final Map<String, Address> otherPools = new LinkedHashMap<>();
    private final Map<String, Integer> otherListeners = new LinkedHashMap<>();
    private String name = "web";
    private Duration grace = Duration.ZERO;
    private boolean hasDefaultRoute = true;
    private int loops = 2;
    private long transitBytes;
    private String address = "127.0.0.1";
    private int port;
    private @Nullable UnixSocket bind;
    private SocketFile socket = SocketFile.DEFAULT;
    private ClientDeadlines deadlines = ClientDeadlines.DEFAULT;
    private ClientLimits limits = ClientLimits.DEFAULT;
    private Connections connections = new Connections();
    private ForwardingPolicies forwarding = ForwardingPolicies.of(Forwarding.OFF);
    private Set<ForwardingHeader> forwardingHeaders = ForwardingHeader.DEFAULT;
    private List<Cidr> trustedProxies = List.of();
    private PathRules paths = PathRules.DEFAULT;
    private Underscores underscores = ListenerConfig.DEFAULT_UNDERSCORES;
    private HeaderRules headers = HeaderRules.NONE;
    private StrategyConfig strategy = StrategyConfig.DEFAULT;
    private int panicBelow;
    private List<String> regions = List.of();
    private @Nullable Geography geography;
    private HeaderRules poolHeaders = HeaderRules.NONE;
    private Optional<RequestIdConfig> requestId = Optional.empty();
    private Optional<AccessLogConfig> accessLog = Optional.empty();
    private List<String> upgrades = ListenerConfig.DEFAULT_UPGRADES;
    private Optional<ListenerTls> tls = Optional.empty();
    private Optional<BackendTls> backendTls = Optional.empty();
    private HostHeader host = new HostHeader.Keep();
    private QueueConfig queue = QueueConfig.DEFAULT;
    private RetryConfig retry = RetryConfig.DEFAULT;
    private ListenerProtocol protocol = ListenerProtocol.HTTP;
    private Optional<ProxyProtocolConfig> proxyProtocol = Optional.empty();
    private Optional<SessionConfig> session = Optional.empty();

    private BalancerSetup(NettyTransport transport) {
        this.transport = transport;
    }

    public static BalancerSetup on(TransportKind transport) {
        return new BalancerSetup(NettyTransport.choose(transport));
    }

    /** On NIO, and there is no descriptor for more connections to backends than {@link ScarceChannel} says. */
    public static BalancerSetup shortOfDescriptors() {
        return reachingBackendsBy(ScarceChannel.class);
    }

    /** On NIO, and connections to backends stall when {@link StallingChannel} is told so. */
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

    /** A fixed answer for a path; everything else goes to the pool. */
    public BalancerSetup respond(String path, int status, String body) {
        routes.add(RouteConfig.of(null, path, new RouteAction.Respond(status, "text/plain", body)));
        return this;
    }

    /** A route before the one of everything else to the pool. */
    public BalancerSetup route(RouteConfig route) {
        routes.add(route);
        return this;
    }

    /** Only what routes take is answered otherwise than by a 404. */
    public BalancerSetup withoutDefaultRoute() {
        hasDefaultRoute = false;
        return this;
    }

    /** A further pool, for routes. */
    public BalancerSetup pool(String name, TestBackend backend) {
        otherPools.put(name, backend.address());
        return this;
    }

    /** The same with rules of its own. */
    public BalancerSetup respond(String path, int status, String body, HeaderRules rules) {
        routes.add(new RouteConfig(
                RouteMatch.of(null, path),
                Optional.empty(),
                new RouteAction.Respond(status, "text/plain", body),
                rules));
        return this;
    }

    /** A route of a path to the pool, with rules of its own. */
    public BalancerSetup route(String path, HeaderRules rules) {
        routes.add(new RouteConfig(RouteMatch.of(null, path), Optional.empty(), new RouteAction.ToPool(POOL), rules));
        return this;
    }

    /** The name of its listener. */
    public BalancerSetup name(String value) {
        name = value;
        return this;
    }

    /** A further listener like the first, on any port. */
    public BalancerSetup listener(String another) {
        return listener(another, /* at= */ 0);
    }

    /** A further listener like the first, on another port. */
    public BalancerSetup listener(String another, int at) {
        otherListeners.put(another, at);
        return this;
    }

    /** Takes a further listener back. */
    public BalancerSetup withoutListener(String another) {
        otherListeners.remove(another);
        return this;
    }

    /** How long a listener that leaves may go on with what runs there. */
    public BalancerSetup grace(Duration value) {
        grace = value;
        return this;
    }

    /** Takes back every route but the one of everything else. */
    public BalancerSetup withoutRoutes() {
        routes.clear();
        return this;
    }

    public BalancerSetup loops(int count) {
        loops = count;
        return this;
    }

    /** What octets in transit may take, rather than a share of what the JVM allows. */
    public BalancerSetup transitBytes(long most) {
        transitBytes = most;
        return this;
    }

    /** Port to listen on, rather than any. */
    public BalancerSetup port(int number) {
        port = number;
        return this;
    }

    /** Address to listen on, rather than that of loopback. */
    public BalancerSetup address(String value) {
        address = value;
        return this;
    }

    /** A Unix socket to listen on. */
    public BalancerSetup bind(UnixSocket address, SocketFile access) {
        bind = address;
        socket = access;
        return this;
    }

    public BalancerSetup deadlines(ClientDeadlines value) {
        deadlines = value;
        return this;
    }

    public BalancerSetup limits(ClientLimits value) {
        limits = value;
        return this;
    }

    public BalancerSetup limits(Limits value) {
        return limits(value.build());
    }

    public BalancerSetup connections(Connections value) {
        connections = value;
        return this;
    }

    /** What is spoken to the backends. */
    public BalancerSetup protocol(BackendProtocol spoken) {
        connections.protocol(spoken);
        return this;
    }

    public BalancerSetup maxInFlight(int most) {
        connections.maxInFlight(most);
        return this;
    }

    public BalancerSetup maxConnections(int most) {
        connections.maxConnections(most);
        return this;
    }

    public BalancerSetup retry(RetryConfig value) {
        retry = value;
        return this;
    }

    public BalancerSetup queue(int size, Duration timeout) {
        queue = new QueueConfig(size, timeout);
        return this;
    }

    public BalancerSetup forwarding(Forwarding value) {
        return forwarding(ForwardingPolicies.of(value));
    }

    public BalancerSetup forwarding(ForwardingPolicies value) {
        forwarding = value;
        return this;
    }

    public BalancerSetup forwardingHeaders(Set<ForwardingHeader> value) {
        forwardingHeaders = value;
        return this;
    }

    public BalancerSetup paths(SlashRule encodedSlash, SlashRule backslash) {
        paths = new PathRules(encodedSlash, backslash);
        return this;
    }

    public BalancerSetup trustedProxies(String... networks) {
        trustedProxies = Arrays.stream(networks).map(Cidr::parse).toList();
        return this;
    }

    public BalancerSetup underscores(Underscores value) {
        underscores = value;
        return this;
    }

    /** Rules of the listener. */
    public BalancerSetup headers(HeaderRules rules) {
        headers = rules;
        return this;
    }

    /** The regions of its backends, in their order. */
    public BalancerSetup regions(Geography where, String... ofBackends) {
        geography = where;
        regions = List.of(ofBackends);
        return this;
    }

    /** How its pools balance. */
    public BalancerSetup strategy(StrategyConfig value) {
        strategy = value;
        return this;
    }

    /** What share of a pool must be healthy, in percent, if others are not to help. */
    public BalancerSetup panicBelow(int percent) {
        panicBelow = percent;
        return this;
    }

    /** Rules of the pool. */
    public BalancerSetup poolHeaders(HeaderRules rules) {
        poolHeaders = rules;
        return this;
    }

    public BalancerSetup requestId(RequestIdConfig value) {
        requestId = Optional.of(value);
        return this;
    }

    public BalancerSetup accessLog(AccessLogConfig value) {
        accessLog = Optional.of(value);
        return this;
    }

    /** The protocols that clients may switch to. */
    public BalancerSetup upgrades(String... protocols) {
        upgrades = List.of(protocols);
        return this;
    }

    /** Clients come in by TLS. */
    public BalancerSetup tls(ListenerTls value) {
        tls = Optional.of(value);
        return this;
    }

    /** A listener for TCP or UDP. */
    public BalancerSetup protocol(ListenerProtocol value) {
        return session(value, SessionConfig.of(value));
    }

    /** The same with times of its own. */
    public BalancerSetup session(ListenerProtocol value, SessionConfig times) {
        protocol = value;
        session = Optional.of(times);
        return this;
    }

    /** Clients come through proxies that say who they are. */
    public BalancerSetup proxyProtocol(String... trusted) {
        proxyProtocol = Optional.of(
                new ProxyProtocolConfig(Arrays.stream(trusted).map(Cidr::parse).toList()));
        return this;
    }

    public BalancerSetup host(HostHeader value) {
        host = value;
        return this;
    }

    /** Backends are spoken to by TLS. */
    public BalancerSetup backendTls(BackendTls value) {
        backendTls = Optional.of(value);
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
            Queue<String> troubles = new ConcurrentLinkedQueue<>();
            PoolTls pools = PoolTls.open(tlsInputs());
            HttpFrontend frontend =
                    HttpFrontend.start(config(), topology, workers, (backend, reason) -> troubles.add(reason), pools);
            return new TestBalancer(builder, topology, workers, frontend, pools, troubles);
        } catch (BindException | RuntimeException e) {
            workers.close();
            throw e;
        }
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
        listeners.add(listener(name, bind == null ? new HostPort(address, port) : bind, all));
        otherListeners.forEach((other, at) -> listeners.add(listener(other, new HostPort("127.0.0.1", at), all)));
        return new HttpConfig(listeners, grace);
    }

    private ListenerConfig listener(String named, Address at, List<RouteConfig> all) {
        return new ListenerConfig(
                named,
                at,
                all,
                deadlines,
                limits,
                forwarding,
                forwardingHeaders,
                trustedProxies,
                underscores,
                headers,
                requestId,
                accessLog,
                upgrades,
                tls,
                protocol,
                proxyProtocol,
                session,
                socket,
                paths);
    }

    Map<String, PoolConfig> pools() {
        Map<String, PoolConfig> pools = new LinkedHashMap<>();
        pools.put(POOL, pool(POOL, backends));
        otherPools.forEach((name, address) -> pools.put(name, pool(name, List.of(address))));
        return pools;
    }

    private PoolConfig pool(String name, List<Address> addresses) {
        List<BackendConfig> members = new ArrayList<>();
        for (Address address : addresses) {
            Optional<String> region =
                    members.size() < regions.size() ? Optional.of(regions.get(members.size())) : Optional.empty();
            members.add(new BackendConfig(
                    address, BackendConfig.DEFAULT_WEIGHT, /* priority= */ 0, /* backup= */ false, region));
        }
        return PoolConfig.builder(name)
                .strategy(strategy)
                .panicBelowPercent(panicBelow)
                .backends(members)
                .health(Pools.UNCHECKED)
                .connections(connections.build())
                .host(host)
                .headers(poolHeaders)
                .queue(queue)
                .retry(retry)
                .tls(backendTls)
                .build();
    }
}
