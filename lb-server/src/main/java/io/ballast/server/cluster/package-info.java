/** Connects a balancer to the other nodes of its cluster. */
@NullMarked
package io.ballast.server.cluster;

import org.jspecify.annotations.NullMarked;
