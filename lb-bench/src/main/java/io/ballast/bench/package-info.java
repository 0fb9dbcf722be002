/** JMH microbenchmarks and load runs beside other balancers. */
@NullMarked
package io.ballast.bench;

import org.jspecify.annotations.NullMarked;
