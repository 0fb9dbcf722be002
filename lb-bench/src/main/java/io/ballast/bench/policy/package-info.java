/** Measures the cost of policies. */
@NullMarked
package io.ballast.bench.policy;

import org.jspecify.annotations.NullMarked;
