/**
 * The replicated log of facts, by MicroRaft: a command that a majority of the voters has on disk is never lost, and each node
 * applies all commands in the same order.
 *
 * @see <a href="https://raft.github.io/raft.pdf">In Search of an Understandable Consensus Algorithm (Raft)</a>
 */
@NullMarked
package io.ballast.cluster.log;

import org.jspecify.annotations.NullMarked;
