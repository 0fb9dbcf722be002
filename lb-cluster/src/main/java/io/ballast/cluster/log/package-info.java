/**
 * The replicated log of facts, based on MicroRaft. A command that a majority of the voters has written to disk is never
 * lost, and every node applies all commands in the same order.
 *
 * @see <a href="https://raft.github.io/raft.pdf">In Search of an Understandable Consensus Algorithm (Raft)</a>
 */
@NullMarked
package io.ballast.cluster.log;

import org.jspecify.annotations.NullMarked;
