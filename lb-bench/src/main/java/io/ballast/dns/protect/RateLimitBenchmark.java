package io.ballast.dns.protect;

import io.ballast.dns.config.RateLimitConfig;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures one decision of the rate limiter, including reading the clock. The queries come from {@code
 * addresses} different addresses. Run with {@code -prof gc}; {@code gc.alloc.rate.norm} must be 0 B/op. With
 * {@code -t 2} the threads share the table.
 *
 * <pre>java -jar lb-bench/target/benchmarks.jar RateLimitBenchmark -prof gc</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class RateLimitBenchmark {

    /** State shared by all threads. */
    @State(Scope.Benchmark)
    public static class Shared {

        private final RateLimits limits = new RateLimits(RateLimitConfig.DEFAULT, 1, 2);
    }

    @Param({"4", "6"})
    public int family = 4;

    /**
     * The number of client addresses. The value 1 simulates a flood from one address; the largest value simulates
     * a flood from spoofed addresses.
     */
    @Param({"1", "1000", "1000000"})
    public int addresses = 1;

    private long[] high = {};
    private long[] low = {};
    private int next;

    @SuppressWarnings("NullAway.Init") // assigned in @Setup
    private ResponseRateLimiter limiter;

    /** Generates random client addresses. */
    @Setup(Level.Trial)
    public void prepare(Shared shared) {
        limiter = new ResponseRateLimiter(shared.limits);
        SplittableRandom random = new SplittableRandom(1);
        high = new long[addresses];
        low = new long[addresses];
        for (int i = 0; i < addresses; i++) {
            high[i] = family == 4 ? 0 : random.nextLong();
            low[i] = family == 4 ? 0xFFFF_0000_0000L | (random.nextInt() & 0xFFFF_FFFFL) : random.nextLong();
        }
    }

    @Benchmark
    public Object limit() {
        next = next + 1 == addresses ? 0 : next + 1;
        return limiter.evaluate(high[next], low[next], System.nanoTime());
    }
}
