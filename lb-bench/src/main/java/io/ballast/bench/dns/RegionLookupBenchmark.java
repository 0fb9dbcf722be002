package io.ballast.bench.dns;

import io.ballast.core.geo.RegionNetwork;
import io.ballast.core.geo.RegionTable;
import io.ballast.core.net.Cidr;
import io.ballast.core.net.IpAddress;
import java.util.ArrayList;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * One client's region and prefix length among many random networks of 16 regions: IPv4 networks of 16 to 32 bits
 * anywhere, IPv6 networks of 40 to 64 bits under 2001:db8::/32. Addresses change with every call. Run with {@code -prof
 * gc}; {@code gc.alloc.rate.norm} must be 0 B/op.
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

    /** The address family, with the networks that it gets. */
    public enum Family {
        IPV4(16, 32),
        IPV6(40, 64);

        private final int shortest;
        private final int longest;

        Family(int shortest, int longest) {
            this.shortest = shortest;
            this.longest = longest;
        }
    }

    private static final int REGIONS = 16;
    private static final int ADDRESSES = 1 << 16;

    @Param({"1000", "100000"})
    public int networks;

    @Param
    public Family family = Family.IPV4;

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
        SplittableRandom random = new SplittableRandom(1);
        List<byte[]> bases = new ArrayList<>();
        List<RegionNetwork> drawn = new ArrayList<>();
        for (int i = 0; i < networks; i++) {
            int length = random.nextInt(family.shortest, family.longest + 1);
            byte[] base = network(random, length);
            bases.add(base);
            drawn.add(new RegionNetwork(new Cidr(IpAddress.of(base), length), 1 + random.nextInt(REGIONS - 1)));
        }
        table = RegionTable.ofNetworks(drawn, 0);
        octets = family == Family.IPV4 ? 4 : 16;
        addresses = new byte[ADDRESSES * octets];
        for (int i = 0; i < ADDRESSES; i++) {
            byte[] base = bases.get(random.nextInt(networks));
            System.arraycopy(clients == Clients.HIT ? base : address(random), 0, addresses, i * octets, octets);
        }
    }

    @Benchmark
    public int find() {
        int from = next;
        next = from + octets == addresses.length ? 0 : from + octets;
        return table.find(addresses, from, octets);
    }

    private byte[] network(SplittableRandom random, int length) {
        byte[] octets = address(random);
        octets[length / 8 % octets.length] &= (byte) (length % 8 == 0 ? 0xFF : 0xFF << (8 - length % 8));
        Arrays.fill(octets, Math.min((length + 7) / 8, octets.length), octets.length, (byte) 0);
        return octets;
    }

    private byte[] address(SplittableRandom random) {
        byte[] octets = new byte[family == Family.IPV4 ? 4 : 16];
        random.nextBytes(octets);
        if (family == Family.IPV6) {
            System.arraycopy(new byte[] {0x20, 0x01, 0x0d, (byte) 0xb8}, 0, octets, 0, 4);
        }
        return octets;
    }
}
