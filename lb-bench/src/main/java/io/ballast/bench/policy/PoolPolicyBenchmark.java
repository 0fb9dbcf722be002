package io.ballast.bench.policy;

import io.ballast.core.config.CircuitBreakerConfig;
import io.ballast.core.config.PoolConcurrency;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.config.RequestQueue;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.policy.config.ConcurrencyConfig;
import io.ballast.policy.config.PolicyConfig;
import io.ballast.policy.work.PolicyServices;
import java.util.List;
import java.util.Optional;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Evaluates a concurrency limit or a circuit breaker for a request that passes, and ends the request. Allocates nothing:
 * {@code gc.alloc.rate.norm} is 0 B/op.
 *
 * <pre>
 *   ./mvnw -q -pl lb-bench -am package -DskipTests
 *   java -jar lb-bench/target/benchmarks.jar PoolPolicyBenchmark -prof gc
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class PoolPolicyBenchmark {

    private static final long LATENCY_NANOS = 1_000_000;

    /** The policy to measure. */
    public enum Kind {
        CLIENT_CONCURRENCY,
        POOL_CONCURRENCY,
        ADAPTIVE_CONCURRENCY,
        CIRCUIT_BREAKER
    }

    @Param
    public Kind kind = Kind.CLIENT_CONCURRENCY;

    private final RequestScanner request = PolicyEvaluation.scan("GET /shop HTTP/1.1", "Host: a");
    private PolicyEvaluation policies = policies(Kind.CLIENT_CONCURRENCY);

    /** Creates the policy. */
    @Setup
    public void prepare() {
        policies.close();
        policies = policies(kind);
    }

    private static PolicyEvaluation policies(Kind kind) {
        PolicyConfig client = new PolicyConfig(
                "client", ConcurrencyConfig.perClient(/* limit= */ 100, RequestQueue.NONE), /* dryRun= */ false);
        PoolConfig.Builder pool = PoolConfig.builder("web");
        switch (kind) {
            case CLIENT_CONCURRENCY -> {}
            case POOL_CONCURRENCY -> pool.concurrency(Optional.of(PoolConcurrency.fixed(200)));
            case ADAPTIVE_CONCURRENCY -> pool.concurrency(Optional.of(PoolConcurrency.adaptive(10, 1000)));
            case CIRCUIT_BREAKER -> pool.circuitBreaker(Optional.of(CircuitBreakerConfig.DEFAULT));
        }
        List<PolicyConfig> named = kind == Kind.CLIENT_CONCURRENCY ? List.of(client) : List.of();
        return new PolicyEvaluation(PolicyServices.NONE, named, List.of(pool.build()));
    }

    @Benchmark
    public PolicyExchange.Outcome pass() {
        return policies.evaluate(request, PolicyEvaluation.CLIENT, LATENCY_NANOS);
    }

    @TearDown
    public void close() {
        policies.close();
    }
}
