/** Limits that several nodes of a cluster share: the interfaces between a limit and the cluster that divides it. */
@NullMarked
package io.ballast.policy.share;

import org.jspecify.annotations.NullMarked;
