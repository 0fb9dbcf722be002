package io.ballast.cluster.mesh;

import java.net.InetSocketAddress;

/**
 * A process of another node. Immutable.
 *
 * @param node the name of the node, as in its certificate
 * @param incarnation the time at which the process started, in milliseconds since 1970; a restarted node has a greater one
 * @param address the address on which the node accepts connections
 */
public record ClusterNode(String node, long incarnation, InetSocketAddress address) {}
