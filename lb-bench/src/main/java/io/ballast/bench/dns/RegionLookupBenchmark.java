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
 * One client's region and prefix length among {@link RandomNetworks}. Addresses change with every call. Run with {@code
 * -prof gc}; {@code gc.alloc.rate.norm} must be 0 B/op.
 *
 * <pre>java -cp … org.openjdk.jmh.Main RegionLookupBenchmark -prof gc</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class RegionLookupBenchmark {

    /** Where clients come from. */
    public enum Clients {
        /** From the networks. */
        HIT,
        /** From anywhere: most belong to no network. */
        ANY
    }

    private static final int ADDRESSES = 1 << 16;

    @Param({"1000", "100000"})
    public int networks;

    @Param
    public RandomNetworks.Family family = RandomNetworks.Family.IPV4;

    @Param
    public Clients clients = Clients.HIT;

    @SuppressWarnings("NullAway.Init") // made by @Setup
    private RegionTable table;

    /** One after the other, so that reading them costs next to nothing. */
    private byte[] addresses = {};

    private int octets;
    private int next;

    /** Compiles the networks and draws the addresses. */
    @Setup
    public void compile() {
        RandomNetworks drawn = new RandomNetworks(family, networks);
        table = drawn.table();
        octets = family.octets();
        addresses = drawn.addresses(ADDRESSES, clients == Clients.HIT);
    }

    @Benchmark
    public int find() {
        int from = next;
        next = from + octets == addresses.length ? 0 : from + octets;
        return table.find(addresses, from, octets);
    }
}
