package io.ballast.bench.policy;

import io.ballast.bench.dns.RandomNetworks.AddressFamily;
import io.ballast.core.net.Cidr;
import io.ballast.core.net.CidrSet;
import io.ballast.core.net.IpAddress;
import java.util.ArrayList;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * Looks up clients in a list of networks, in random order; half of the clients are in the list. IPv4 networks have
 * prefixes of 32 bits, IPv6 networks of 128. Allocates nothing: {@code gc.alloc.rate.norm} is 0 B/op.
 *
 * <pre>
 *   ./mvnw -q -pl lb-bench -am package -DskipTests
 *   java -jar lb-bench/target/benchmarks.jar CidrSetBenchmark -prof gc
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class CidrSetBenchmark {

    private static final int CLIENTS = 1 << 18;

    @Param({"1000", "1000000"})
    int networks;

    @Param
    AddressFamily family = AddressFamily.IPV4;

    private final byte[][] clients = new byte[CLIENTS][];
    private CidrSet set = CidrSet.EMPTY;
    private int next;

    @Setup
    public void compile() {
        SplittableRandom random = new SplittableRandom(1);
        List<Cidr> members = new ArrayList<>();
        for (int i = 0; i < networks; i++) {
            byte[] address = address(random);
            members.add(new Cidr(IpAddress.of(address), 8 * address.length));
        }
        set = CidrSet.of(members);
        for (int i = 0; i < CLIENTS; i++) {
            clients[i] = random.nextBoolean()
                    ? members.get(random.nextInt(networks)).network().bytes()
                    : address(random);
        }
    }

    private byte[] address(SplittableRandom random) {
        byte[] address = new byte[family.addressBytes()];
        random.nextBytes(address);
        if (family == AddressFamily.IPV6) {
            address[0] = 0x20;
            address[1] = 0x01;
        }
        return address;
    }

    @Benchmark
    public boolean contains() {
        next = next + 1 & CLIENTS - 1;
        return set.contains(clients[next]);
    }
}
