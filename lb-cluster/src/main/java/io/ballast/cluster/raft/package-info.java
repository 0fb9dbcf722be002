/**
 * The parts that MicroRaft expects from its user: the file of a copy of the log, the encoding of messages, and the
 * clock.
 */
@NullMarked
package io.ballast.cluster.raft;

import org.jspecify.annotations.NullMarked;
