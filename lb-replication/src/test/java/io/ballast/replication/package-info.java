/** Tests of the state that a cluster keeps equal on all nodes. */
@NullMarked
package io.ballast.replication;

import org.jspecify.annotations.NullMarked;
