/**
 * Observations: data that each node collects and sends to all other nodes, such as the results of its health checks.
 * Unlike facts, observations are not stored and need no majority.
 * {@link io.ballast.cluster.observation.ObservationBoard} sends the rows of this node, and holds those of the connected
 * nodes; {@link io.ballast.cluster.observation.ObservationListener} is notified of changes.
 */
@NullMarked
package io.ballast.cluster.observation;

import org.jspecify.annotations.NullMarked;
