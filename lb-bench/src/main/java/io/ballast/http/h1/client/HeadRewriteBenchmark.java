package io.ballast.http.h1.client;

import io.ballast.bench.EventLoopThreads;
import io.ballast.core.backend.Backend;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.ResponseLimits;
import io.ballast.core.config.header.HeaderChanges;
import io.ballast.core.config.header.HeaderField;
import io.ballast.core.config.header.HeaderRules;
import io.ballast.core.config.header.HeaderValue;
import io.ballast.core.config.header.HostHeader;
import io.ballast.core.net.CidrSet;
import io.ballast.http.config.ForwardingHeader;
import io.ballast.http.config.ForwardingPolicies;
import io.ballast.http.forwarding.ClientAddress;
import io.ballast.http.forwarding.ForwardingRules;
import io.ballast.http.forwarding.PeerConnection;
import io.ballast.http.h1.wire.SampleHeads;
import io.ballast.http.head.HeadLimits;
import io.ballast.http.head.MajorVersion;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.head.ScanResult;
import io.ballast.http.header.HeaderVariables;
import io.ballast.http.header.RouteHeaderEdits;
import io.ballast.http.serving.RequestHeadWriter;
import io.ballast.net.config.ClientLimits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
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
 * Writes the request head for the backend (without hop-by-hop headers, with forwarding headers, in a new
 * pooled buffer), and rewrites the response head for the client in place. Both heads are scanned before the
 * measurement. Allocates nothing on the heap: {@code gc.alloc.rate.norm} is 0 B/op.
 *
 * <pre>
 *   ./mvnw -q -pl lb-bench -am package -DskipTests
 *   java -jar lb-bench/target/benchmarks.jar HeadRewriteBenchmark -prof gc
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 2,
        jvmArgsAppend = {EventLoopThreads.USE, EventLoopThreads.CLASS, "-Dio.netty.leakDetection.level=disabled"})
public class HeadRewriteBenchmark {

    private static final byte[] VALUE = SampleHeads.bytes("192.0.2.1");
    private static final byte[] DATE = SampleHeads.bytes("Sat, 21 Nov 2026 12:00:00 GMT");
    private static final HeaderVariables VARIABLES = (variable, target) -> target.append(VALUE);

    /** Whether rules set one header from a variable and remove another header, in requests and responses. */
    @Param({"false", "true"})
    private boolean rules;

    private RouteHeaderEdits edits = RouteHeaderEdits.NONE;

    private final RequestScanner request = new RequestScanner();
    private final ResponseScanner response = new ResponseScanner();
    private final RequestHeadWriter requestWriter = new RequestHeadWriter();
    private final ResponseHeadWriter responseWriter = new ResponseHeadWriter();
    private final PooledByteBufAllocator allocator = PooledByteBufAllocator.DEFAULT;
    private final ClientAddress client = new ClientAddress(
            new PeerConnection(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 40_000),
                    /* localPort= */ 8000,
                    /* secure= */ false,
                    MajorVersion.HTTP_1),
            new ForwardingRules(ForwardingPolicies.DEFAULT, ForwardingHeader.DEFAULT, CidrSet.EMPTY));
    private final Backend backend = new Backend(
            0,
            "web",
            new HostPort("10.0.0.1", 8080),
            new InetSocketAddress("10.0.0.1", 8080),
            /* maxInFlight= */ 0,
            /* shards= */ 1,
            HealthStatus.unknown(Instant.EPOCH));
    private final byte[] responseHead = SampleHeads.bytes(SampleHeads.RESPONSE);
    private final ByteBuf received = allocator.directBuffer(responseHead.length).writeBytes(responseHead);

    @Setup
    public void scan() {
        if (rules) {
            HeaderField field = new HeaderField("X-Client", HeaderValue.parse("$remote_addr"));
            HeaderChanges changes = new HeaderChanges(List.of(field), List.of(), List.of("X-Powered-By"));
            edits = RouteHeaderEdits.compile(List.of(new HeaderRules(changes, changes)), new HostHeader.Keep());
        }
        byte[] head = SampleHeads.bytes(SampleHeads.REQUEST);
        ScanResult first = request.scan(SampleHeads.scannable(head), head.length, HeadLimits.of(ClientLimits.DEFAULT));
        ScanResult second = response.scan(
                SampleHeads.scannable(responseHead), responseHead.length, HeadLimits.of(ResponseLimits.DEFAULT));
        if (first != ScanResult.COMPLETE || second != ScanResult.COMPLETE) {
            throw new IllegalStateException("faults: " + request.fault + ", " + response.fault + " (expected: none)");
        }
    }

    @TearDown
    public void release() {
        received.release();
    }

    @Benchmark
    public int request() {
        ByteBuf head = requestWriter.write(request, client, edits, VARIABLES, backend, /* bodyBytes= */ 0, allocator);
        int length = head.readableBytes();
        head.release();
        return length;
    }

    @Benchmark
    public int response() {
        received.setIndex(0, responseHead.length);
        ByteBuf head = responseWriter.rewrite(
                response,
                received,
                ResponseHeadWriter.ClientConnectionHeader.NONE,
                DATE,
                /* dropChunked= */ false,
                edits.response(),
                VARIABLES,
                allocator);
        return head.readableBytes();
    }
}
