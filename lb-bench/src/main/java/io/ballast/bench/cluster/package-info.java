/** A member of a cluster that the program lb-bench/cluster controls through standard input. */
@NullMarked
package io.ballast.bench.cluster;

import org.jspecify.annotations.NullMarked;
