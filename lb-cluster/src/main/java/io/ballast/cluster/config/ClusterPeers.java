package io.ballast.cluster.config;

import io.ballast.core.Checks;
import io.ballast.core.config.DiscoveryConfig;
import io.ballast.core.config.HostPort;
import java.util.List;
import java.util.Optional;

/**
 * The source of the addresses of other nodes: a list of addresses, a name in DNS, or a service of Kubernetes.
 * Immutable.
 *
 * @param addresses the addresses of some other nodes, at most {@value #MAX_ADDRESSES}; may contain the address of this
 *     node
 * @param dns a name that resolves to the addresses of nodes, or a name of SRV records, which begins with an underscore
 * @param dnsPort the port of the nodes if {@code dns} is not a name of SRV records; if absent, the port of this node
 * @param kubernetes a service whose endpoints are nodes
 */
public record ClusterPeers(
        List<HostPort> addresses,
        Optional<String> dns,
        Optional<Integer> dnsPort,
        Optional<DiscoveryConfig.Kubernetes> kubernetes) {

    public static final int MAX_ADDRESSES = 64;

    /** An empty list of addresses: this node waits until other nodes connect to it. */
    public static final ClusterPeers NONE = of(List.of());

    public ClusterPeers {
        addresses = List.copyOf(addresses);
        Checks.that(
                addresses.size() <= MAX_ADDRESSES,
                "peers",
                addresses.size() + " addresses",
                "at most " + MAX_ADDRESSES);
        Checks.that(
                dnsPort.isEmpty() || (dns.isPresent() && !isSrv(dns.get())),
                "port",
                dnsPort.map(String::valueOf).orElse(""),
                "no port with SRV records");
    }

    public static ClusterPeers of(List<HostPort> addresses) {
        return new ClusterPeers(addresses, Optional.empty(), Optional.empty(), Optional.empty());
    }

    private static boolean isSrv(String name) {
        return name.startsWith("_");
    }

    /**
     * The source that is polled for addresses; empty for a list.
     *
     * @param ownPort the port of this node
     */
    public Optional<DiscoveryConfig> source(int ownPort) {
        if (dns.isEmpty()) {
            return kubernetes.map(service -> service);
        }
        String name = dns.get();
        return Optional.of(
                isSrv(name) ? new DiscoveryConfig.Srv(name) : new DiscoveryConfig.Names(name, dnsPort.orElse(ownPort)));
    }
}
