/**
 * Benchmarks for the cost of picking a backend and of compiling a strategy.
 *
 * <p>Start with {@link io.ballast.bench.balance.PickBenchmark}; {@link
 * io.ballast.bench.balance.BenchmarkPool} defines the members.
 */
@NullMarked
package io.ballast.bench.balance;

import org.jspecify.annotations.NullMarked;
