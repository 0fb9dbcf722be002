package io.ballast.bench.dns;

import io.ballast.dns.dnssec.SigningProvider;
import io.ballast.dns.dnssec.key.KeyAlgorithm;
import io.ballast.dns.dnssec.key.SigningKey;
import java.security.Signature;
import java.security.SignatureException;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * Computes one DNSSEC signature over the typical number of bytes of an address record set. It measures the
 * fastest available provider and the JDK's own provider.
 *
 * <pre>java -jar lb-bench/target/benchmarks.jar SigningBenchmark</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class SigningBenchmark {

    /** The provider of the signature algorithm. */
    public enum Provider {
        FASTEST,
        JAVA
    }

    @Param
    public Provider provider = Provider.FASTEST;

    @Param
    public KeyAlgorithm algorithm = KeyAlgorithm.ECDSAP256SHA256;

    private final byte[] data = new byte[120];
    private final byte[] out = new byte[KeyAlgorithm.SIGNATURE_BYTES];

    @SuppressWarnings("NullAway.Init") // assigned in @Setup
    private Signature signature;

    /** Creates a key. */
    @Setup
    public void open() {
        new SplittableRandom(1).nextBytes(data);
        SigningProvider signer = provider == Provider.JAVA ? SigningProvider.ofJava() : SigningProvider.fastest();
        signature = signer.open(SigningKey.generate(algorithm));
    }

    @Benchmark
    public byte[] sign() throws SignatureException {
        data[0]++;
        signature.update(data, 0, data.length);
        signature.sign(out, 0, out.length);
        return out;
    }
}
