package io.ballast.http.h1.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
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
 * Scans a chunked body of 16 chunks to its end. The time must not depend on the chunk size, because only the chunk
 * framing is read. Allocates nothing: {@code gc.alloc.rate.norm} is 0 B/op.
 *
 * <pre>
 *   ./mvnw -q -pl lb-bench -am package -DskipTests
 *   java -jar lb-bench/target/benchmarks.jar ChunkScanBenchmark -prof gc
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class ChunkScanBenchmark {

    private static final int CHUNKS = 16;

    @Param({"128", "8192"})
    int chunkBytes;

    private final ChunkScanner scanner = new ChunkScanner();
    private ByteBuf body = Unpooled.EMPTY_BUFFER;

    @Setup
    public void compose() {
        String frame = Integer.toHexString(chunkBytes) + "\r\n" + "x".repeat(chunkBytes) + "\r\n";
        byte[] bytes = (frame.repeat(CHUNKS) + "0\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
        body = Unpooled.directBuffer(bytes.length).writeBytes(bytes);
        if (scan() != bytes.length || !scanner.isDone()) {
            throw new IllegalStateException("fault: " + scanner.fault() + " (expected: none)");
        }
    }

    @TearDown
    public void release() {
        body.release();
    }

    @Benchmark
    public int scan() {
        scanner.reset();
        return scanner.scan(body, 0, body.writerIndex(), null);
    }
}
