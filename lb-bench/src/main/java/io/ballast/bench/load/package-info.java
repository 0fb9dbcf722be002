/** Servers that load runs need, in the benchmarks jar; the programs beside {@code lb-bench/harness} start them. */
@NullMarked
package io.ballast.bench.load;

import org.jspecify.annotations.NullMarked;
