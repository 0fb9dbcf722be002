package io.ballast.policy.rate;

import io.ballast.policy.config.Rate;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Charges a request to a table of a rate limit with 100,000 keys in random order, with one and with two threads. The
 * time includes {@link System#nanoTime}. Allocates nothing: {@code gc.alloc.rate.norm} is 0 B/op.
 *
 * <pre>
 *   ./mvnw -q -pl lb-bench -am package -DskipTests
 *   java -jar lb-bench/target/benchmarks.jar RequestRateTableBenchmark -prof gc
 * </pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class RequestRateTableBenchmark {

    private static final int KEYS = 100_000;

    private final long[] keys = new SplittableRandom(1).longs(KEYS).toArray();
    private final RequestRateTable table = new RequestRateTable(
            List.of(RateWindow.of(new Rate(100, Duration.ofSeconds(1)))),
            KEYS,
            /* allowsWhenFull= */ true,
            System.nanoTime());

    /** The position of one thread in the sequence of keys. */
    @State(Scope.Thread)
    public static class Position {
        private int next = (int) (Thread.currentThread().getId() * 7919 % KEYS);
    }

    @Benchmark
    @Threads(1)
    public long oneThread(Position position) {
        return charge(position);
    }

    @Benchmark
    @Threads(2)
    public long twoThreads(Position position) {
        return charge(position);
    }

    private long charge(Position position) {
        position.next = position.next + 1 == KEYS ? 0 : position.next + 1;
        return table.charge(keys[position.next], System.nanoTime());
    }
}
