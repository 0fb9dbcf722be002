/**
 * Rate limits that all nodes of a cluster share. Each node owns an equal part of each limit, and lends what it does not
 * need of a key to the nodes that need more of it. Read {@code LimitDivision} first.
 */
@NullMarked
package io.ballast.replication.limit;

import org.jspecify.annotations.NullMarked;
