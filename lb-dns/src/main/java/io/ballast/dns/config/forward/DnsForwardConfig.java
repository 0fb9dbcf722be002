package io.ballast.dns.config.forward;

import io.ballast.core.net.Cidr;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How queries for names outside the zones are answered: by upstream resolvers, which are the backends of pools.
 *
 * @param upstream who is asked unless a route says otherwise
 * @param clients networks whose queries are answered; the others' are refused
 * @param timeout how long a query waits for an answer, whoever is asked for it
 * @param retryAfter when another resolver is asked beside the one that has not answered
 * @param outstanding most queries that wait for an answer at once; newer ones are refused, and so are those of a client that has taken
 *     half of them
 * @param randomCase whether names are sent in random case, which the answer must repeat
 * @param routes in order; the first that fits says who is asked
 * @param cache absent to keep no answers
 * @param filter absent to answer every name
 * @param policy whose queries are filtered how
 * @param dnssec what is done with signatures
 * @param privatePtr the pool that is asked by UDP for names of private addresses ({@link LocalReverseZones#PRIVATE}); absent to
 *     answer that there are none
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

    /** Loopback and private networks: an open resolver serves attacks. */
    public static final List<Cidr> PRIVATE = List.of(
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

    public DnsForwardConfig {
        clients = List.copyOf(clients);
        routes = List.copyOf(routes);
    }

    /** The rest as it is by default. */
    public static DnsForwardConfig of(String pool) {
        return new DnsForwardConfig(
                new Upstream(pool, Protocol.UDP),
                PRIVATE,
                DEFAULT_TIMEOUT,
                DEFAULT_RETRY_AFTER,
                DEFAULT_OUTSTANDING,
                /* randomCase= */ true,
                List.of(),
                Optional.of(DnsCacheConfig.DEFAULT),
                Optional.empty(),
                DnsPolicyConfig.NONE,
                DnsValidationConfig.OFF,
                Optional.empty());
    }

    /** What makes the same unless told otherwise. */
    public DnsForwardConfigBuilder toBuilder() {
        return new DnsForwardConfigBuilder(this);
    }

    /** Who is asked, each once. */
    public Set<Upstream> upstreams() {
        Set<Upstream> upstreams = new LinkedHashSet<>();
        upstreams.add(upstream);
        allRoutes().forEach(route -> upstreams.add(route.upstream()));
        return upstreams;
    }

    /** The routes, and behind them that for names of private addresses. */
    public List<Route> allRoutes() {
        List<Route> all = new ArrayList<>(routes);
        privatePtr.ifPresent(
                pool -> all.add(new Route(LocalReverseZones.PRIVATE, List.of(), new Upstream(pool, Protocol.UDP))));
        return all;
    }

    /** What is done with signatures. Names of private addresses are not signed where they come from a router. */
    public DnsValidationConfig validation() {
        return privatePtr.isEmpty() ? dnssec : dnssec.alsoInsecure(LocalReverseZones.PRIVATE);
    }

    /** The pools that are asked, each once. */
    public Set<String> pools() {
        Set<String> pools = new LinkedHashSet<>();
        upstreams().forEach(each -> pools.add(each.pool()));
        return pools;
    }

    /** How resolvers are asked. */
    public enum Protocol {
        /** By TCP after an answer that did not fit. */
        UDP,
        TCP,
        /** By TLS, as the pool's TLS has it. */
        DOT,
        /** By HTTP/2 over TLS, likewise. */
        DOH;

        /** Whether it takes a pool with TLS. */
        public boolean isSecured() {
            return this == DOT || this == DOH;
        }
    }

    /**
     * Who is asked, and how.
     *
     * @param pool whose backends are asked
     * @param path of the requests of {@link Protocol#DOH}; of no meaning to the others
     * @param clientSubnet what they are told of clients' networks; nothing if it is absent
     */
    public record Upstream(String pool, Protocol protocol, String path, Optional<DnsClientSubnetConfig> clientSubnet) {

        /** What resolvers have mostly. */
        public static final String DEFAULT_PATH = "/dns-query";

        /** With the default path; nothing is told of clients. */
        public Upstream(String pool, Protocol protocol) {
            this(pool, protocol, DEFAULT_PATH, Optional.empty());
        }
    }

    /**
     * Other resolvers for some queries: those that fit what is given of both.
     *
     * @param suffixes names, each with all below it, in lower case without a final dot; none for every name
     * @param clients networks that ask; none for every client
     */
    public record Route(List<String> suffixes, List<Cidr> clients, Upstream upstream) {

        public Route {
            suffixes = List.copyOf(suffixes);
            clients = List.copyOf(clients);
        }
    }
}
