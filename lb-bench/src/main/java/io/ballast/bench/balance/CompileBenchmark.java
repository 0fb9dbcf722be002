package io.ballast.bench.balance;

import io.ballast.core.balance.Member;
import io.ballast.core.balance.Picker;
import io.ballast.core.balance.Strategies;
import io.ballast.core.balance.Strategy;
import io.ballast.core.config.StrategyConfig;
import io.ballast.core.config.StrategyKind;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures how long each strategy takes to compile. The control plane compiles a strategy after each change
 * of backend health: this builds the table of ip-hash and the schedule of weighted round-robin.
 *
 * <pre>
 *   ./mvnw -q -pl lb-bench -am package -DskipTests
 *   java -jar lb-bench/target/benchmarks.jar CompileBenchmark -prof gc
 * </pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class CompileBenchmark {

    @Param
    StrategyKind strategy = StrategyKind.ROUND_ROBIN;

    @Param({"4", "100", "10000"})
    int members;

    private List<Member> pool = List.of();
    private Strategy compiled = Strategies.create(StrategyConfig.of(StrategyKind.ROUND_ROBIN));

    @Setup
    public void create() {
        pool = BenchmarkPool.members(members, Weights.MIXED);
        compiled = BenchmarkPool.checked(Strategies.create(StrategyConfig.of(strategy)), pool);
    }

    @Benchmark
    public Picker compile() {
        return compiled.compile(pool);
    }
}
