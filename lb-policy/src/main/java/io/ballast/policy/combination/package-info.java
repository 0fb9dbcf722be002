/** Combinations of authentication policies. */
@NullMarked
package io.ballast.policy.combination;

import org.jspecify.annotations.NullMarked;
