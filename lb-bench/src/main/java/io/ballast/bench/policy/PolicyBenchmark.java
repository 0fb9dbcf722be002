package io.ballast.bench.policy;

import io.ballast.core.net.Cidr;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.policy.config.AddressListConfig;
import io.ballast.policy.config.PolicyConfig;
import io.ballast.policy.config.Rate;
import io.ballast.policy.config.RequestRateConfig;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Evaluates a rate limit by client and a list of 1,000 allowed networks for requests of 100,000 clients in random order.
 * Allocates nothing: {@code gc.alloc.rate.norm} is 0 B/op.
 *
 * <pre>
 *   ./mvnw -q -pl lb-bench -am package -DskipTests
 *   java -jar lb-bench/target/benchmarks.jar PolicyBenchmark -prof gc
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class PolicyBenchmark {

    private static final int CLIENTS = 100_000;
    private static final int NETWORKS = 1_000;

    private final RequestScanner request = PolicyEvaluation.scan("GET /shop HTTP/1.1", "Host: a");
    private final PolicyEvaluation policies = policies();
    private final byte[][] clients = clients();
    private int next;

    private static PolicyEvaluation policies() {
        List<Cidr> networks = new SplittableRandom(2)
                .ints(NETWORKS, 0, 1 << 24)
                .mapToObj(bits -> Cidr.parse((bits >> 16) + "." + (bits >> 8 & 255) + "." + (bits & 255) + ".0/24"))
                .distinct()
                .toList();
        PolicyConfig list = new PolicyConfig(
                "office",
                AddressListConfig.ofNetworks(List.of(), networks, /* denyAll= */ false, /* closes= */ false),
                /* dryRun= */ false);
        Rate rate = new Rate(1_000_000, Duration.ofSeconds(1));
        PolicyConfig limit = new PolicyConfig("limit", RequestRateConfig.perClient(rate), /* dryRun= */ false);
        return PolicyEvaluation.of(limit, list);
    }

    private static byte[][] clients() {
        SplittableRandom random = new SplittableRandom(3);
        byte[][] all = new byte[CLIENTS][4];
        for (byte[] address : all) {
            random.nextBytes(address);
            address[0] = (byte) 240; // an address that is in no denied network
        }
        return all;
    }

    @Benchmark
    public PolicyExchange.Outcome evaluate() {
        next = next + 1 == CLIENTS ? 0 : next + 1;
        return policies.evaluate(request, clients[next]);
    }

    @TearDown
    public void close() {
        policies.close();
    }
}
