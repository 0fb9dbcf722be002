/**
 * Rate limits that all nodes of a cluster share. Each node owns an equal part of each limit, and lends the part that it
 * does not need for a key to the nodes that need more. Read {@code LimitDivision} first.
 */
@NullMarked
package io.ballast.replication.limit;

import org.jspecify.annotations.NullMarked;
