/**
 * The file of a copy of the log, the bytes of messages, and the time: MicroRaft leaves these to its user.
 */
@NullMarked
package io.ballast.cluster.raft;

import org.jspecify.annotations.NullMarked;
