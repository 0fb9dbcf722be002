@NullMarked
package io.ballast.cluster.raft;

import org.jspecify.annotations.NullMarked;
