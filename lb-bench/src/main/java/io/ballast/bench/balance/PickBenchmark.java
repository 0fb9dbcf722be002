package io.ballast.bench.balance;

import io.ballast.core.backend.Backend;
import io.ballast.core.balance.Member;
import io.ballast.core.balance.Picker;
import io.ballast.core.balance.Strategies;
import io.ballast.core.config.StrategyConfig;
import io.ballast.core.config.StrategyKind;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Picks a backend with each strategy from 4, 64, 1,000 and 10,000 members, on one thread and on two.
 *
 * <p>The target is 15 ns and 0 B/op, and 1 ns per member for least-connection, which compares up to 256 members. The
 * figures include 1 to 2 ns for the request itself.
 *
 * <pre>
 *   ./mvnw -q -pl lb-bench -am package -DskipTests
 *   java -jar lb-bench/target/benchmarks.jar PickBenchmark -prof gc
 *   java -jar lb-bench/target/benchmarks.jar PickBenchmark.oneThread -p strategy=IP_HASH -p members=64
 * </pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PickBenchmark {

    @Param
    StrategyKind strategy = StrategyKind.ROUND_ROBIN;

    @Param({"4", "64", "1000", "10000"})
    int members;

    @Param
    Weights weights = Weights.EQUAL;

    private Picker picker = Picker.NONE;

    /** The request sequence of one thread. */
    @State(Scope.Thread)
    public static class Requests {

        private final BenchmarkRequest request =
                new BenchmarkRequest(Thread.currentThread().getId());
    }

    @Setup
    public void compile() {
        List<Member> pool = BenchmarkPool.members(members, weights);
        picker = BenchmarkPool.checked(Strategies.create(StrategyConfig.of(strategy)), pool)
                .compile(pool);
    }

    @Benchmark
    @Threads(1)
    public @Nullable Backend oneThread(Requests requests) {
        return picker.pick(requests.request.next());
    }

    @Benchmark
    @Threads(2)
    public @Nullable Backend twoThreads(Requests requests) {
        return picker.pick(requests.request.next());
    }
}
