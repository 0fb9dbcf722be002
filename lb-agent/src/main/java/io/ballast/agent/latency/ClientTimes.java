package io.ballast.agent.latency;

import io.ballast.agent.config.AgentConfig;
import io.ballast.agent.config.RegisteredBackend;
import io.ballast.core.net.IpAddress;
import io.ballast.dashboard.source.DnsServices.RoundTrip;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Computes the round-trip times between the backends of an agent and the networks of their clients: the median of the
 * connections to the port of a backend, for each /24 of IPv4 and each /48 of IPv6. A connection counts once it is
 * {@link #MIN_AGE} old, since the time of a new connection is measured by its handshake only.
 *
 * <p>Connections from nodes and from this machine are ignored: the round-trip time to a proxy is not the round-trip
 * time to its client.
 *
 * <p>Thread safety: confined to one thread. Bounds: those of {@link SocketList}, and {@value #MAX_NETWORKS} networks in
 * a result, those with the most connections.
 */
public final class ClientTimes {

    /** The minimum age of a connection. */
    public static final Duration MIN_AGE = Duration.ofSeconds(5);

    static final int MAX_NETWORKS = 1_000;

    private static final int IPV4_BYTES = 4;
    private static final int IPV4_PREFIX_BYTES = 3;
    private static final int IPV6_PREFIX_BYTES = 6;

    private final Map<Integer, Set<String>> poolsByPort = new HashMap<>();
    private final Set<IpAddress> nodes = new HashSet<>();
    /** The time at which each open connection was first seen, in nanoseconds. */
    private Map<SocketTime.Key, Long> firstSeen = new HashMap<>();

    private record Network(IpAddress address, String pool) {}

    public ClientTimes(AgentConfig config) {
        for (RegisteredBackend each : config.register()) {
            poolsByPort
                    .computeIfAbsent(each.address().port(), port -> new HashSet<>())
                    .add(each.pool());
            nodes.add(IpAddress.parse(each.address().host()));
        }
        config.nodes().forEach(node -> addNode(node.getHost().replace("[", "").replace("]", "")));
    }

    private void addNode(String host) {
        try {
            nodes.add(IpAddress.parse(host));
        } catch (IllegalArgumentException e) {
            return; // the address is a host name: connections from this node count as client connections
        }
    }

    /** Adds the connections that are open now; returns the round-trip times of the networks. */
    List<RoundTrip> sample(List<SocketTime> open, long nowNanos) {
        Map<SocketTime.Key, Long> seen = new HashMap<>();
        Map<Network, List<Long>> times = new HashMap<>();
        for (SocketTime each : open) {
            Set<String> pools = poolsByPort.get(each.localPort());
            if (pools == null || isExcluded(each.peer())) {
                continue;
            }
            long since = firstSeen.getOrDefault(each.key(), nowNanos);
            seen.put(each.key(), since);
            if (nowNanos - since >= MIN_AGE.toNanos()) {
                IpAddress network = network(each.peer());
                pools.forEach(pool -> times.computeIfAbsent(new Network(network, pool), added -> new ArrayList<>())
                        .add(each.micros()));
            }
        }
        firstSeen = seen;
        Comparator<Map.Entry<Network, List<Long>>> byConnections =
                Comparator.comparingInt(entry -> -entry.getValue().size());
        return times.entrySet().stream()
                .sorted(byConnections)
                .limit(MAX_NETWORKS)
                .map(entry ->
                        new RoundTrip(entry.getKey().address(), entry.getKey().pool(), median(entry.getValue())))
                .toList();
    }

    private boolean isExcluded(IpAddress peer) {
        byte[] bytes = peer.bytes();
        boolean isLoopback = bytes.length == IPV4_BYTES ? bytes[0] == 127 : peer.high() == 0 && peer.low() == 1;
        return isLoopback || nodes.contains(peer);
    }

    private static IpAddress network(IpAddress address) {
        byte[] bytes = address.bytes();
        int kept = bytes.length == IPV4_BYTES ? IPV4_PREFIX_BYTES : IPV6_PREFIX_BYTES;
        for (int i = kept; i < bytes.length; i++) {
            bytes[i] = 0;
        }
        return IpAddress.of(bytes);
    }

    private static Duration median(List<Long> micros) {
        List<Long> sorted = micros.stream().sorted().toList();
        return Duration.ofNanos(sorted.get(sorted.size() / 2) * 1_000);
    }
}
