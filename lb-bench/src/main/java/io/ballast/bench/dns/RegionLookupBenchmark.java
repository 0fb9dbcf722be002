package io.ballast.bench.dns;

import io.ballast.core.geo.RegionTable;
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
 * Looks up the region and prefix length of a client among {@link RandomNetworks}. The address changes with every call.
 * Run with {@code -prof gc}; {@code gc.alloc.rate.norm} must be 0 B/op.
 *
 * <pre>java -jar lb-bench/target/benchmarks.jar RegionLookupBenchmark -prof gc</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class RegionLookupBenchmark {

    /** The addresses that are looked up. */
    public enum Clients {
        /** Addresses that are inside the table's networks. */
        HIT,
        /** Addresses chosen without regard to the networks; most are in no network of the table. */
        ANY
    }

    private static final int ADDRESSES = 1 << 16;

    @Param({"1000", "100000"})
    public int networks;

    @Param
    public RandomNetworks.AddressFamily family = RandomNetworks.AddressFamily.IPV4;

    @Param
    public Clients clients = Clients.HIT;

    @SuppressWarnings("NullAway.Init") // assigned in @Setup
    private RegionTable table;

    /** The addresses to look up, one after the other in a single array, so that reading them is cheap. */
    private byte[] addresses = {};

    private int addressBytes;
    private int next;

    /** Compiles the networks and generates random client addresses. */
    @Setup
    public void compile() {
        RandomNetworks drawn = new RandomNetworks(family, networks);
        table = drawn.table();
        addressBytes = family.addressBytes();
        addresses = drawn.addresses(ADDRESSES, clients == Clients.HIT);
    }

    @Benchmark
    public int find() {
        int from = next;
        next = from + addressBytes == addresses.length ? 0 : from + addressBytes;
        return table.find(addresses, from, addressBytes);
    }
}
