/**
 * Load run programs that no installed tool provides: servers that delay responses, and a client with a constant rate.
 * Part of the benchmarks jar; the programs in {@code lb-bench/harness} start them. Read {@link
 * io.ballast.bench.load.OpenLoop} and {@link io.ballast.bench.load.DelayedBackend} first.
 */
@NullMarked
package io.ballast.bench.load;

import org.jspecify.annotations.NullMarked;
