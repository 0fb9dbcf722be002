package io.ballast.cluster.mesh;

import java.net.InetSocketAddress;

/**
 * One process of a node: a restart of the node creates another process. Immutable.
 *
 * @param node the name of the node, as in its certificate
 * @param incarnation the time at which the process started, in milliseconds since 1970; greater after a restart
 * @param address the address on which the node accepts connections
 */
public record ClusterNode(String node, long incarnation, InetSocketAddress address) {}
