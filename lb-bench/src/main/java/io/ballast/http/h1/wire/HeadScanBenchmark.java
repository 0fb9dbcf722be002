package io.ballast.http.h1.wire;

import io.ballast.core.config.ResponseLimits;
import io.ballast.http.head.FieldScanner;
import io.ballast.http.head.HeadLimits;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.head.ScanResult;
import io.ballast.net.config.ClientLimits;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Scans and validates the heads of a browser's request and of an application's response, ten header lines each.
 * Allocates nothing: {@code gc.alloc.rate.norm} is 0 B/op.
 *
 * <pre>
 *   ./mvnw -q -pl lb-bench -am package -DskipTests
 *   java -jar lb-bench/target/benchmarks.jar HeadScanBenchmark -prof gc
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class HeadScanBenchmark {

    private final RequestScanner requestScanner = new RequestScanner();
    private final ResponseScanner responseScanner = new ResponseScanner();
    private final HeadLimits limits = HeadLimits.of(ClientLimits.DEFAULT);
    private final HeadLimits responseLimits = HeadLimits.of(ResponseLimits.DEFAULT);
    private final byte[] request = SampleHeads.scannable(SampleHeads.bytes(SampleHeads.REQUEST));
    private final byte[] response = SampleHeads.scannable(SampleHeads.bytes(SampleHeads.RESPONSE));

    /**
     * Fails if a head is invalid: the scan of an invalid head stops early, so the benchmark would measure
     * nothing.
     */
    @Setup
    public void requireCompleteHeads() {
        if (request() != ScanResult.COMPLETE || response() != ScanResult.COMPLETE) {
            throw new IllegalStateException(
                    "faults: " + requestScanner.fault + ", " + responseScanner.fault + " (expected: none)");
        }
    }

    @Benchmark
    public ScanResult request() {
        return requestScanner.scan(request, request.length - FieldScanner.SLACK, limits);
    }

    @Benchmark
    public ScanResult response() {
        return responseScanner.scan(response, response.length - FieldScanner.SLACK, responseLimits);
    }
}
