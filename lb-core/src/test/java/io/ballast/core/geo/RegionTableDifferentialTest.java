package io.ballast.core.geo;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.net.Cidr;
import io.ballast.core.net.IpAddress;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares the compiled table with a search through all networks. The random networks include nested and adjacent
 * networks, the whole address space, and single addresses.
 */
class RegionTableDifferentialTest {

    private static final long SEED = Long.getLong("ballast.seed", 1L);
    private static final int TABLES = 100;
    private static final int REGIONS = 4;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void matchesReferenceForRegionAndPrefix(boolean ipv4) {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int round = 0; round < TABLES; round++) {
            List<RegionNetwork> networks = networks(ipv4, random);
            RegionTable table = RegionTable.ofNetworks(networks, 0);
            NaiveRegions naive = new NaiveRegions(networks, 0);

            for (IpAddress address : addresses(networks, ipv4, random)) {
                int found = table.find(address.bytes());
                int length = RegionTable.prefixLength(found);
                String about = "seed " + SEED + " round " + round + ", " + address + " of " + networks;
                assertThat(RegionTable.region(found)).as(about).isEqualTo(naive.region(address));
                assertThat(naive.isUniform(NaiveRegions.around(address, length), RegionTable.region(found)))
                        .as("all of /%d %s", length, about)
                        .isTrue();
                assertThat(length > 0
                                && naive.isUniform(NaiveRegions.around(address, length - 1), RegionTable.region(found)))
                        .as("more than /%d %s", length, about)
                        .isFalse();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void largeTablesMatchReference(boolean ipv4) {
        SplittableRandom random = new SplittableRandom(SEED);
        List<RegionNetwork> networks = new ArrayList<>();
        int bits = ipv4 ? 32 : 128;
        for (int i = 0; i < 2000; i++) { // every third network is near another one, so that the index gets deep
            IpAddress address = i % 3 == 0 ? near(networks, random, ipv4) : randomAddress(ipv4, random);
            networks.add(region(NaiveRegions.around(address, random.nextInt(8, bits + 1)), random));
        }
        RegionTable table = RegionTable.ofNetworks(networks, 0);
        NaiveRegions naive = new NaiveRegions(networks, 0);

        for (IpAddress address : addresses(networks.subList(0, 500), ipv4, random)) {
            assertThat(RegionTable.region(table.find(address.bytes())))
                    .as("seed %d, %s", SEED, address)
                    .isEqualTo(naive.region(address));
        }
    }

    private static List<RegionNetwork> networks(boolean ipv4, SplittableRandom random) {
        List<RegionNetwork> networks = new ArrayList<>();
        int bits = ipv4 ? 32 : 128;
        for (int count = random.nextInt(25); count > 0; count--) {
            Cidr cidr =
                    switch (random.nextInt(5)) {
                        case 0 -> NaiveRegions.around(randomAddress(ipv4, random), random.nextInt(bits + 1));
                        case 1 -> NaiveRegions.around(randomAddress(ipv4, random), random.nextInt(2) * bits);
                        case 2 -> inside(networks, random, ipv4);
                        case 3 -> beside(networks, random, ipv4);
                        default -> NaiveRegions.around(near(networks, random, ipv4), bits - random.nextInt(6));
                    };
            networks.add(region(cidr, random));
        }
        return networks;
    }

    private static RegionNetwork region(Cidr cidr, SplittableRandom random) {
        return new RegionNetwork(cidr, random.nextInt(REGIONS));
    }

    private static Cidr inside(List<RegionNetwork> networks, SplittableRandom random, boolean ipv4) {
        Cidr outer = one(networks, random, ipv4);
        BigInteger offset = new BigInteger(128, new Random(random.nextLong())).mod(NaiveRegions.size(outer));
        IpAddress address =
                NaiveRegions.address(NaiveRegions.number(outer.network()).add(offset), ipv4);
        return NaiveRegions.around(address, random.nextInt(outer.length(), NaiveRegions.bits(address) + 1));
    }

    private static Cidr beside(List<RegionNetwork> networks, SplittableRandom random, boolean ipv4) {
        Cidr cidr = one(networks, random, ipv4);
        BigInteger next = NaiveRegions.number(cidr.network()).add(NaiveRegions.size(cidr));
        return NaiveRegions.around(NaiveRegions.address(next, ipv4), cidr.length());
    }

    private static Cidr one(List<RegionNetwork> networks, SplittableRandom random, boolean ipv4) {
        return networks.isEmpty()
                ? NaiveRegions.around(randomAddress(ipv4, random), random.nextInt(ipv4 ? 33 : 129))
                : networks.get(random.nextInt(networks.size())).network();
    }

    private static IpAddress near(List<RegionNetwork> networks, SplittableRandom random, boolean ipv4) {
        BigInteger first = NaiveRegions.number(one(networks, random, ipv4).network());
        return NaiveRegions.address(first.add(BigInteger.valueOf(random.nextInt(-40, 40))), ipv4);
    }

    private static IpAddress randomAddress(boolean ipv4, SplittableRandom random) {
        byte[] bytes = new byte[ipv4 ? 4 : 16];
        random.nextBytes(bytes);
        return IpAddress.of(bytes);
    }

    /**
     * Returns the addresses on both sides of every border, the ends of the address space, and random addresses.
     */
    private static List<IpAddress> addresses(List<RegionNetwork> networks, boolean ipv4, SplittableRandom random) {
        List<IpAddress> addresses = new ArrayList<>();
        addresses.add(NaiveRegions.address(BigInteger.ZERO, ipv4));
        addresses.add(NaiveRegions.address(BigInteger.ONE.negate(), ipv4));
        for (RegionNetwork each : networks) {
            BigInteger first = NaiveRegions.number(each.network().network());
            BigInteger behind = first.add(NaiveRegions.size(each.network()));
            for (BigInteger border : List.of(first, behind)) {
                addresses.add(NaiveRegions.address(border, ipv4));
                addresses.add(NaiveRegions.address(border.subtract(BigInteger.ONE), ipv4));
            }
            addresses.add(randomAddress(ipv4, random));
        }
        return addresses.stream().filter(address -> address.isIpv4() == ipv4).toList();
    }
}
