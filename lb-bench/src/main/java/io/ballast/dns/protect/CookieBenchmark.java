package io.ballast.dns.protect;

import io.ballast.core.net.IpAddress;
import io.ballast.dns.config.CookieSecret;
import io.ballast.dns.wire.EdnsResponse;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * Creates a cookie for a new client, and verifies one. Run with {@code -prof gc}; {@code gc.alloc.rate.norm} must be 0 B/op.
 *
 * <pre>java -jar lb-bench/target/benchmarks.jar CookieBenchmark -prof gc</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class CookieBenchmark {

    private static final int NOW = 1_700_000_000;
    private static final int CLIENT_BYTES = 8;

    @Param({"192.0.2.1", "2001:db8::1"})
    public String address = "192.0.2.1";

    private final ServerCookies cookies =
            new ServerCookies(List.of(new CookieSecret("e5e973e5a6b2a43f48e7dc849e37bfcf")));
    private final byte[] cookie = new byte[EdnsResponse.COOKIE_BYTES];
    private final byte[] reply = new byte[EdnsResponse.COOKIE_BYTES];
    private long high;
    private long low;

    /** Creates the cookie to verify. */
    @Setup
    public void prepare() {
        IpAddress client = IpAddress.parse(address);
        high = client.high();
        low = client.low();
        cookies.exchange(cookie, 0, CLIENT_BYTES, high, low, NOW, reply);
        System.arraycopy(reply, 0, cookie, 0, reply.length);
    }

    @Benchmark
    public ServerCookies.Verdict make() {
        return cookies.exchange(cookie, 0, CLIENT_BYTES, high, low, NOW, reply);
    }

    @Benchmark
    public ServerCookies.Verdict verify() {
        return cookies.exchange(cookie, 0, cookie.length, high, low, NOW, reply);
    }
}
