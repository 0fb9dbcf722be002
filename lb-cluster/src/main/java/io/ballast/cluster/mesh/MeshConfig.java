package io.ballast.cluster.mesh;

import io.ballast.net.tls.MutualTls;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Supplier;

/**
 * The configuration of a node's connections to its cluster. Immutable.
 *
 * @param cluster the name of the cluster; a node of a cluster with another name is refused
 * @param node the name of this node, which must be the common name or a DNS name of its certificate
 * @param bind the address on which other nodes connect; this node announces it to them
 * @param peers the addresses of some other nodes; addresses of this node and unused addresses are permitted
 * @param tls supplies this node's certificate and the trusted authorities; called for each new connection
 */
public record MeshConfig(
        String cluster, String node, InetSocketAddress bind, List<InetSocketAddress> peers, Supplier<MutualTls> tls) {

    public MeshConfig {
        peers = List.copyOf(peers);
    }
}
