package io.ballast.dns.config.forward;

import io.ballast.core.Checks;
import io.ballast.core.net.Cidr;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The forwarder: answers queries for names outside the zones by querying upstream resolvers, which are the backends of
 * pools.
 *
 * @param upstream the resolvers for names without a route
 * @param clients networks that may use the forwarder; other clients are refused
 * @param timeout the time limit of a query including all attempts
 * @param retryAfter the time after which a second resolver is queried in parallel
 * @param outstanding the maximum number of pending queries; further queries are refused. One client may have at most
 *     half of them
 * @param randomCase whether names are sent in random case, which the response must repeat
 * @param routes resolvers for some names, in order; the first match is used
 * @param cache the cache of answers; absent for no cache
 * @param filter the filter for names; absent to filter nothing
 * @param policy the filter policies of client groups
 * @param dnssec the DNSSEC validation
 * @param privatePtr the pool for reverse lookups of private addresses ({@link LocalReverseZones#PRIVATE}) over UDP;
 *     absent to answer NXDOMAIN
 */
public record DnsForwardConfig(
        Upstream upstream,
        List<Cidr> clients,
        Duration timeout,
        Duration retryAfter,
        int outstanding,
        boolean randomCase,
        List<Route> routes,
        Optional<DnsCacheConfig> cache,
        Optional<DnsFilterConfig> filter,
        DnsPolicyConfig policy,
        DnsValidationConfig dnssec,
        Optional<String> privatePtr) {

    /**
     * Loopback and private networks. By default only these clients are allowed, because attackers abuse open
     * resolvers.
     */
    public static final List<Cidr> PRIVATE_NETWORKS = List.of(
            Cidr.parse("127.0.0.0/8"),
            Cidr.parse("::1"),
            Cidr.parse("10.0.0.0/8"),
            Cidr.parse("100.64.0.0/10"),
            Cidr.parse("172.16.0.0/12"),
            Cidr.parse("192.168.0.0/16"),
            Cidr.parse("169.254.0.0/16"),
            Cidr.parse("fc00::/7"),
            Cidr.parse("fe80::/10"));

    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(2);
    public static final Duration DEFAULT_RETRY_AFTER = Duration.ofMillis(600);
    public static final int DEFAULT_OUTSTANDING = 10_000;
    public static final boolean DEFAULT_RANDOM_CASE = true;

    public DnsForwardConfig {
        clients = List.copyOf(clients);
        routes = List.copyOf(routes);
    }

    /** Creates a configuration with default values for all other fields. */
    public static DnsForwardConfig of(String pool) {
        return new DnsForwardConfig(
                new Upstream(pool, Protocol.UDP),
                PRIVATE_NETWORKS,
                DEFAULT_TIMEOUT,
                DEFAULT_RETRY_AFTER,
                DEFAULT_OUTSTANDING,
                DEFAULT_RANDOM_CASE,
                List.of(),
                Optional.of(DnsCacheConfig.DEFAULT),
                Optional.empty(),
                DnsPolicyConfig.NONE,
                DnsValidationConfig.OFF,
                Optional.empty());
    }

    /** Returns a builder with these values. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Returns all upstreams, without duplicates. */
    public Set<Upstream> upstreams() {
        Set<Upstream> upstreams = new LinkedHashSet<>();
        upstreams.add(upstream);
        allRoutes().forEach(route -> upstreams.add(route.upstream()));
        return upstreams;
    }

    /**
     * Returns the configured routes, followed by the route for reverse lookups of private addresses, if
     * configured.
     */
    public List<Route> allRoutes() {
        List<Route> all = new ArrayList<>(routes);
        privatePtr.ifPresent(
                pool -> all.add(new Route(LocalReverseZones.PRIVATE, List.of(), new Upstream(pool, Protocol.UDP))));
        return all;
    }

    /**
     * Returns the validation settings. Reverse names of private addresses are treated as insecure, because routers do
     * not sign them.
     */
    public DnsValidationConfig validation() {
        return privatePtr.isEmpty() ? dnssec : dnssec.withInsecure(LocalReverseZones.PRIVATE);
    }

    /** The pools of the upstreams, without duplicates. */
    public Set<String> pools() {
        Set<String> pools = new LinkedHashSet<>();
        upstreams().forEach(each -> pools.add(each.pool()));
        return pools;
    }

    /** The protocol of queries to resolvers. */
    public enum Protocol {
        /** UDP, or TCP after a truncated response. */
        UDP,
        TCP,
        /** DNS over TLS, with the TLS settings of the pool. */
        DOT,
        /** DNS over HTTPS: HTTP/2 over TLS. */
        DOH;

        /** Returns whether the protocol requires a pool with TLS. */
        public boolean usesTls() {
            return this == DOT || this == DOH;
        }
    }

    /**
     * A pool of resolvers with its protocol.
     *
     * @param pool the pool of the resolvers
     * @param path the path of {@link Protocol#DOH} requests; not used by other protocols
     * @param clientSubnet the client subnet option in queries; absent for none
     * @param ednsOptions codes of the EDNS options in client queries that are forwarded to the resolvers; at most
     *     {@value ForwardableOptions#MAX_CODES}
     */
    public record Upstream(
            String pool,
            Protocol protocol,
            String path,
            Optional<DnsClientSubnetConfig> clientSubnet,
            List<Integer> ednsOptions) {

        /** The request path that most resolvers serve. */
        public static final String DEFAULT_PATH = "/dns-query";

        public Upstream {
            ednsOptions = List.copyOf(ednsOptions);
            Checks.between(ednsOptions.size(), 0, ForwardableOptions.MAX_CODES, "ednsOptions");
            ednsOptions.forEach(ForwardableOptions::check);
        }

        /** Creates an upstream to which no EDNS options of clients are forwarded. */
        public Upstream(String pool, Protocol protocol, String path, Optional<DnsClientSubnetConfig> clientSubnet) {
            this(pool, protocol, path, clientSubnet, List.of());
        }

        /** Creates an upstream with the default path and no client subnet. */
        public Upstream(String pool, Protocol protocol) {
            this(pool, protocol, DEFAULT_PATH, Optional.empty());
        }
    }

    /**
     * A route: the resolvers for queries that match both {@code suffixes} and {@code clients}.
     *
     * @param suffixes names in lower case without a final dot; each includes all names below it; empty for all names
     * @param clients networks of clients; empty for all clients
     */
    public record Route(List<String> suffixes, List<Cidr> clients, Upstream upstream) {

        public Route {
            suffixes = List.copyOf(suffixes);
            clients = List.copyOf(clients);
        }
    }

    /** A builder that copies a {@link DnsForwardConfig} with changed options. Confined to one thread. */
    public static final class Builder {

        private Upstream upstream;
        private List<Cidr> clients;
        private Duration timeout;
        private Duration retryAfter;
        private int outstanding;
        private boolean randomCase;
        private List<Route> routes;
        private Optional<DnsCacheConfig> cache;
        private Optional<DnsFilterConfig> filter;
        private DnsPolicyConfig policy;
        private DnsValidationConfig dnssec;
        private Optional<String> privatePtr;

        Builder(DnsForwardConfig from) {
            this.upstream = from.upstream();
            this.clients = from.clients();
            this.timeout = from.timeout();
            this.retryAfter = from.retryAfter();
            this.outstanding = from.outstanding();
            this.randomCase = from.randomCase();
            this.routes = from.routes();
            this.cache = from.cache();
            this.filter = from.filter();
            this.policy = from.policy();
            this.dnssec = from.dnssec();
            this.privatePtr = from.privatePtr();
        }

        public Builder upstream(Upstream upstream) {
            this.upstream = upstream;
            return this;
        }

        public Builder clients(List<Cidr> clients) {
            this.clients = clients;
            return this;
        }

        public Builder timeout(Duration timeout) {
            this.timeout = timeout;
            return this;
        }

        public Builder retryAfter(Duration retryAfter) {
            this.retryAfter = retryAfter;
            return this;
        }

        public Builder outstanding(int outstanding) {
            this.outstanding = outstanding;
            return this;
        }

        public Builder randomCase(boolean randomCase) {
            this.randomCase = randomCase;
            return this;
        }

        public Builder routes(List<Route> routes) {
            this.routes = routes;
            return this;
        }

        public Builder cache(Optional<DnsCacheConfig> cache) {
            this.cache = cache;
            return this;
        }

        public Builder filter(Optional<DnsFilterConfig> filter) {
            this.filter = filter;
            return this;
        }

        public Builder policy(DnsPolicyConfig policy) {
            this.policy = policy;
            return this;
        }

        public Builder dnssec(DnsValidationConfig dnssec) {
            this.dnssec = dnssec;
            return this;
        }

        public Builder privatePtr(Optional<String> privatePtr) {
            this.privatePtr = privatePtr;
            return this;
        }

        public DnsForwardConfig build() {
            return new DnsForwardConfig(
                    upstream,
                    clients,
                    timeout,
                    retryAfter,
                    outstanding,
                    randomCase,
                    routes,
                    cache,
                    filter,
                    policy,
                    dnssec,
                    privatePtr);
        }
    }
}
