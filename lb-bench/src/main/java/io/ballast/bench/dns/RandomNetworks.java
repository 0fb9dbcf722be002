package io.ballast.bench.dns;

import io.ballast.core.geo.RegionNetwork;
import io.ballast.core.geo.RegionTable;
import io.ballast.core.net.Cidr;
import io.ballast.core.net.IpAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Random networks of 16 regions, and addresses in them. IPv4 networks have prefixes of 16 to 32 bits, IPv6 networks of
 * 40 to 64 bits under 2001:db8::/32.
 */
public final class RandomNetworks {

    public static final int REGIONS = 16;

    /** An address family, and the range of prefix lengths of its random networks. */
    public enum AddressFamily {
        IPV4(4, 16, 32),
        IPV6(16, 40, 64);

        private final int addressBytes;
        private final int shortest;
        private final int longest;

        AddressFamily(int addressBytes, int shortest, int longest) {
            this.addressBytes = addressBytes;
            this.shortest = shortest;
            this.longest = longest;
        }

        public int addressBytes() {
            return addressBytes;
        }
    }

    private final SplittableRandom random = new SplittableRandom(1);
    private final List<byte[]> bases = new ArrayList<>();
    private final AddressFamily family;
    private final RegionTable table;

    /** Generates and compiles {@code count} random networks. */
    public RandomNetworks(AddressFamily family, int count) {
        this.family = family;
        List<RegionNetwork> drawn = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int length = random.nextInt(family.shortest, family.longest + 1);
            byte[] base = network(length);
            bases.add(base);
            drawn.add(new RegionNetwork(new Cidr(IpAddress.of(base), length), 1 + random.nextInt(REGIONS - 1)));
        }
        this.table = RegionTable.ofNetworks(drawn, 0);
    }

    public RegionTable table() {
        return table;
    }

    /** Returns {@code count} random addresses in one array, so that reading them is cheap. */
    public byte[] addresses(int count, boolean inNetworks) {
        byte[] addresses = new byte[count * family.addressBytes];
        for (int i = 0; i < count; i++) {
            byte[] base = bases.get(random.nextInt(bases.size()));
            System.arraycopy(inNetworks ? base : address(), 0, addresses, i * family.addressBytes, family.addressBytes);
        }
        return addresses;
    }

    private byte[] network(int length) {
        byte[] addressBytes = address();
        addressBytes[length / 8 % addressBytes.length] &= (byte) (length % 8 == 0 ? 0xFF : 0xFF << (8 - length % 8));
        Arrays.fill(addressBytes, Math.min((length + 7) / 8, addressBytes.length), addressBytes.length, (byte) 0);
        return addressBytes;
    }

    private byte[] address() {
        byte[] addressBytes = new byte[family.addressBytes];
        random.nextBytes(addressBytes);
        if (family == AddressFamily.IPV6) {
            System.arraycopy(new byte[] {0x20, 0x01, 0x0d, (byte) 0xb8}, 0, addressBytes, 0, 4);
        }
        return addressBytes;
    }
}
