/**
 * Programs for load runs that no installed tool can do: servers that delay responses, and a client with a
 * constant rate. They are part of the benchmarks jar; the scripts in {@code lb-bench/harness} start them.
 * Read {@link io.ballast.bench.load.OpenLoop} and {@link io.ballast.bench.load.DelayedBackend} first.
 */
@NullMarked
package io.ballast.bench.load;

import org.jspecify.annotations.NullMarked;
