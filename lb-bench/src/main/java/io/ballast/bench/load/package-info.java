/**
 * What load runs need and no installed tool does: servers that wait before they answer, and a client that keeps its
 * rate whatever the server does. Part of the benchmarks jar; the programs beside {@code lb-bench/harness} start them.
 * Read {@link io.ballast.bench.load.OpenLoop} and {@link io.ballast.bench.load.DelayedBackend} first.
 */
@NullMarked
package io.ballast.bench.load;

import org.jspecify.annotations.NullMarked;
