package io.ballast.bench.policy;

import static java.util.Objects.requireNonNull;

import io.ballast.core.log.RecordRing;
import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.head.HeadLimits;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.net.Workers;
import io.ballast.http.policy.BodyRead;
import io.ballast.http.policy.PolicyChain;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.route.request.RoutedRequest;
import io.ballast.http.trace.RequestTrace;
import io.ballast.http.trace.TraceSink;
import io.ballast.net.config.ClientLimits;
import io.ballast.net.config.TransportKind;
import io.ballast.net.tls.TlsSessionInfo;
import io.ballast.net.transport.NettyTransport;
import io.ballast.policy.PolicyRegistry;
import io.ballast.policy.config.PolicyConfig;
import io.ballast.policy.config.TracingConfig;
import io.ballast.policy.work.PolicyServices;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
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
 * The part of the event loop in the trace of a request with one attempt: the decision, the header lines for the backend,
 * and if the request is recorded, its texts and the copy into the queue. The benchmark empties the queue itself, which is
 * included in the time. Allocates nothing: {@code gc.alloc.rate.norm} is 0 B/op.
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
public class TracingBenchmark implements PolicyExchange.Owner, TraceSink {

    private static final int RING_BYTES = 1 << 16;
    private static final byte[] CLIENT = {(byte) 192, 0, 2, 1};
    private static final byte[] BACKEND = "10.0.0.1:8080".getBytes(StandardCharsets.US_ASCII);

    /** The share of requests that are recorded, in millionths. */
    @Param({"0", "1000000"})
    public int sample;

    private final Workers workers =
            Workers.start(NettyTransport.choose(TransportKind.NIO), /* count= */ 1, new SplittableRandom(1));
    private final PolicyExchange exchange = new PolicyExchange(workers.all().get(0), () -> TlsSessionInfo.NONE, this);
    private final RequestScanner request = scan();
    private final RecordRing ring = new RecordRing(RING_BYTES);
    private final ByteAppender lines = new ByteAppender();
    private PolicyChain chain = chain(0);

    private static RequestScanner scan() {
        List<String> head = List.of(
                "GET /shop/articles/4711?page=2 HTTP/1.1",
                "Host: shop.example",
                "Accept: */*",
                "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
                "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
        byte[] bytes = (String.join("\r\n", head) + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
        RequestScanner scanner = new RequestScanner();
        scanner.scan(
                Arrays.copyOf(bytes, bytes.length + Long.BYTES), bytes.length, HeadLimits.of(ClientLimits.DEFAULT));
        return scanner;
    }

    private PolicyChain chain(int millionths) {
        TracingConfig config = new TracingConfig(millionths, false, List.of(), true, false);
        PolicyConfig trace = new PolicyConfig("trace", config, /* dryRun= */ false);
        PolicyRegistry registry =
                PolicyRegistry.start(1, PolicyServices.NONE.with((TraceSink) this), List.of(trace), List.of());
        return requireNonNull(PolicyChain.of(registry.active().all(), "web */shop"));
    }

    @Setup
    public void configure() {
        chain = chain(sample);
    }

    @Benchmark
    public int trace() {
        exchange.begin(chain, request, CLIENT);
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
        exchange.end(/* status= */ 200, PolicyExchange.NO_RESPONSE, /* wasTunnel= */ false, /* failure= */ null);
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

    @Override
    public void readBody(BodyRead read) {
        throw new IllegalStateException("no policy reads a body");
    }

    @Override
    public RoutedRequest restoreRequest() {
        return request;
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
