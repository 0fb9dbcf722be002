/**
 * What picking a backend costs, and what compiling a strategy does.
 *
 * <p>Start with {@link io.ballast.bench.balance.PickBenchmark}; {@link io.ballast.bench.balance.BenchmarkPool} says what
 * the members are like.
 */
@NullMarked
package io.ballast.bench.balance;

import org.jspecify.annotations.NullMarked;
