/**
 * Connections between the nodes of a cluster: each node keeps one TLS connection to each other node, and sends its messages on
 * it. The name of a node is the one in its certificate.
 */
@NullMarked
package io.ballast.cluster.mesh;

import org.jspecify.annotations.NullMarked;
