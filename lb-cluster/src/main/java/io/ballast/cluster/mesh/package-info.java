/**
 * Connections between the nodes of a cluster. Each node keeps one TLS connection to every other node, and sends its
 * messages on it. The certificate of a node must contain its name.
 */
@NullMarked
package io.ballast.cluster.mesh;

import org.jspecify.annotations.NullMarked;
