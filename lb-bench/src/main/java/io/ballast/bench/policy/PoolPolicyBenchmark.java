package io.ballast.bench.policy;

import static java.util.Objects.requireNonNull;

import io.ballast.core.config.CircuitBreakerConfig;
import io.ballast.core.config.PoolConcurrency;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.config.RequestQueue;
import io.ballast.http.head.HeadLimits;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.net.Workers;
import io.ballast.http.policy.BodyRead;
import io.ballast.http.policy.PolicyChain;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.route.request.RoutedRequest;
import io.ballast.net.config.ClientLimits;
import io.ballast.net.config.TransportKind;
import io.ballast.net.tls.TlsSessionInfo;
import io.ballast.net.transport.NettyTransport;
import io.ballast.policy.PolicyRegistry;
import io.ballast.policy.config.ConcurrencyConfig;
import io.ballast.policy.config.PolicyConfig;
import io.ballast.policy.work.PolicyServices;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
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
public class PoolPolicyBenchmark implements PolicyExchange.Owner {

    private static final byte[] CLIENT = {(byte) 192, 0, 2, 1};
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

    private final Workers workers =
            Workers.start(NettyTransport.choose(TransportKind.NIO), /* count= */ 1, new SplittableRandom(1));
    private final PolicyExchange exchange = new PolicyExchange(workers.all().get(0), () -> TlsSessionInfo.NONE, this);
    private final RequestScanner request = new RequestScanner();
    private PolicyChain chain = chain(Kind.CLIENT_CONCURRENCY);

    /** Creates the policy. */
    @Setup
    public void prepare() {
        byte[] head = "GET /shop HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        request.scan(Arrays.copyOf(head, head.length + Long.BYTES), head.length, HeadLimits.of(ClientLimits.DEFAULT));
        chain = chain(kind);
    }

    private static PolicyChain chain(Kind kind) {
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
        PolicyRegistry registry =
                PolicyRegistry.start(/* eventLoops= */ 1, PolicyServices.NONE, named, List.of(pool.build()));
        return requireNonNull(PolicyChain.of(registry.active().all(), "benchmark"));
    }

    @Benchmark
    public PolicyExchange.Outcome pass() {
        PolicyExchange.Outcome outcome = exchange.begin(chain, request, CLIENT);
        exchange.end(/* status= */ 200, LATENCY_NANOS, /* wasTunnel= */ false, /* failure= */ null);
        return outcome;
    }

    @Override
    public RoutedRequest restoreRequest() {
        return request;
    }

    @Override
    public void readBody(BodyRead read) {
        throw new IllegalStateException("no policy reads a body");
    }

    @Override
    public void policiesDecided(PolicyExchange.Outcome outcome) {
        throw new IllegalStateException("a decision was pending");
    }

    @TearDown
    public void close() {
        workers.close();
    }
}
