/**
 * What MicroRaft leaves to its user: the file of a copy of the log, the bytes of messages, and the time.
 */
@NullMarked
package io.ballast.cluster.raft;

import org.jspecify.annotations.NullMarked;
