/** JMH microbenchmarks, and load runs that compare balancers. */
@NullMarked
package io.ballast.bench;

import org.jspecify.annotations.NullMarked;
