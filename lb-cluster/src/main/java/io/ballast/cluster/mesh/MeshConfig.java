package io.ballast.cluster.mesh;

import io.ballast.net.tls.MutualTls;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Supplier;

/**
 * The place of a node in its cluster. Immutable.
 *
 * @param cluster the name of the cluster; a node with another name is refused
 * @param node the name of this node, which its certificate has as common name or as DNS name
 * @param bind the address for connections of other nodes; also the address that other nodes learn
 * @param peers the addresses of some other nodes; an address of this node, or an unused one, does no harm
 * @param tls the certificate of this node, and the authorities that it trusts; asked for each new connection
 */
public record MeshConfig(
        String cluster, String node, InetSocketAddress bind, List<InetSocketAddress> peers, Supplier<MutualTls> tls) {

    public MeshConfig {
        peers = List.copyOf(peers);
    }
}
