/** Limits that several nodes of a cluster share: what the cluster asks of a limit, and what a limit gets from it. */
@NullMarked
package io.ballast.policy.share;

import org.jspecify.annotations.NullMarked;
