package io.ballast.bench.policy;

import io.ballast.core.hash.SipHash24;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.policy.config.LimitKey;
import io.ballast.policy.config.PolicyConfig;
import io.ballast.policy.config.Rate;
import io.ballast.policy.config.RequestRateConfig;
import io.ballast.policy.config.RequestRateConfig.MissingKey;
import io.ballast.policy.key.RefusedKeys;
import io.ballast.policy.key.RequestCounterKey;
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
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Refuses requests by a rate limit: the whole evaluation, and the part of it that records the refused key. With one
 * client, the key has a place in the list of refused keys; with 100,000 clients, almost no key has one.
 *
 * <pre>
 *   ./mvnw -q -pl lb-bench -am package -DskipTests
 *   java -jar lb-bench/target/benchmarks.jar RefusalBenchmark -prof gc
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class RefusalBenchmark {

    @Param({"1", "100000"})
    private int clients;

    private final RequestScanner request = PolicyEvaluation.scan("GET /shop HTTP/1.1", "Host: a");
    private final PolicyEvaluation policies = PolicyEvaluation.of(new PolicyConfig(
            "limit", RequestRateConfig.perClient(new Rate(1, Duration.ofDays(1))), /* dryRun= */ false));
    private final RefusedKeys refused = new RefusedKeys(new RequestCounterKey(
            List.of(LimitKey.CLIENT), MissingKey.CLIENT, /* ipv6PrefixBits= */ 64, new SipHash24(1, 2)));
    private byte[][] addresses = {};
    private long[] keys = {};
    private int next;

    @Setup
    public void create() {
        SplittableRandom random = new SplittableRandom(3);
        keys = random.longs(clients).toArray();
        addresses = new byte[clients][4];
        for (byte[] address : addresses) {
            random.nextBytes(address);
            address[0] = (byte) 240;
        }
        policies.begin(request, PolicyEvaluation.CLIENT); // so that the exchange has a request
    }

    private int next() {
        next = next + 1 == clients ? 0 : next + 1;
        return next;
    }

    @Benchmark
    public PolicyExchange.Outcome refuse() {
        return policies.evaluate(request, addresses[next()]);
    }

    @Benchmark
    public void recordKey() {
        refused.refused(policies.exchange(), keys[next()], System.nanoTime());
    }

    @TearDown
    public void close() {
        policies.close();
    }
}
