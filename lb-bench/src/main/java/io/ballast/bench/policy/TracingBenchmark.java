package io.ballast.bench.policy;

import io.ballast.core.log.RecordRing;
import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.trace.RequestTrace;
import io.ballast.http.trace.TraceSink;
import io.ballast.policy.config.PolicyConfig;
import io.ballast.policy.config.TracingConfig;
import io.ballast.policy.work.PolicyServices;
import java.nio.charset.StandardCharsets;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the work of the event loop to trace a request with one attempt: the decision, the header lines for the
 * backend, and, if the request is recorded, its texts and the copy into the queue. The benchmark empties the queue
 * itself, which is included in the time. Allocates nothing: {@code gc.alloc.rate.norm} is 0 B/op.
 *
 * <pre>
 *   ./mvnw -q -pl lb-bench -am package -DskipTests
 *   java -jar lb-bench/target/benchmarks.jar TracingBenchmark -prof gc
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class TracingBenchmark implements TraceSink {

    private static final int RING_BYTES = 1 << 16;
    private static final byte[] BACKEND = "10.0.0.1:8080".getBytes(StandardCharsets.US_ASCII);

    /** The share of requests that are recorded, in millionths. */
    @Param({"0", "1000000"})
    public int sample;

    private final RequestScanner request = PolicyEvaluation.scan(
            "GET /shop/articles/4711?page=2 HTTP/1.1",
            "Host: shop.example",
            "Accept: */*",
            "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
            "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    private final RecordRing ring = new RecordRing(RING_BYTES);
    private final ByteAppender lines = new ByteAppender();
    private PolicyEvaluation policies = policies(0);

    private PolicyEvaluation policies(int millionths) {
        TracingConfig config = new TracingConfig(millionths, false, List.of(), true, false);
        PolicyConfig trace = new PolicyConfig("trace", config, /* dryRun= */ false);
        return new PolicyEvaluation(PolicyServices.NONE.with((TraceSink) this), List.of(trace), List.of());
    }

    @Setup
    public void configure() {
        policies.close();
        policies = policies(sample);
    }

    @Benchmark
    public int trace() {
        policies.begin(request, PolicyEvaluation.CLIENT);
        PolicyExchange exchange = policies.exchange();
        RequestTrace trace = exchange.trace();
        long now = exchange.now();
        if (trace.isRecorded()) {
            trace.attempt(BACKEND, now);
            trace.attemptAnswered(200);
            trace.attemptEnded(/* cause= */ null, now);
        }
        lines.clear();
        trace.appendLines(lines);
        trace.end(/* code= */ 200, /* tunnel= */ false, /* cause= */ null, /* loop= */ 0, now);
        policies.end(PolicyExchange.NO_RESPONSE);
        return lines.length();
    }

    @Override
    public boolean isActive() {
        return true;
    }

    @Override
    public void offer(int loop, RequestTrace trace) {
        trace.offerTo(ring);
        ring.peek();
        ring.release();
    }

    @TearDown
    public void close() {
        policies.close();
    }
}
