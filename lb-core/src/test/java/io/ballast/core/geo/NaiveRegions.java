package io.ballast.core.geo;

import io.ballast.core.net.Cidr;
import io.ballast.core.net.IpAddress;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reference implementation of longest-prefix matching that tries every network. */
final class NaiveRegions {

    private final List<RegionNetwork> networks;
    private final int defaultRegion;

    NaiveRegions(List<RegionNetwork> networks, int defaultRegion) {
        this.networks = networks;
        this.defaultRegion = defaultRegion;
    }

    int region(IpAddress address) {
        RegionNetwork best = null;
        for (RegionNetwork each : networks) {
            boolean longer =
                    best == null || each.network().length() >= best.network().length();
            if (longer && each.network().contains(address)) {
                best = each;
            }
        }
        return best == null ? defaultRegion : best.region();
    }

    /**
     * Returns whether every address of a prefix has the region. The method tests the first address of the prefix,
     * the first address of every network in it, and the address after the end of every network. The region cannot
     * change at other addresses.
     */
    boolean isUniform(Cidr prefix, int region) {
        List<IpAddress> changes = new ArrayList<>();
        changes.add(prefix.network());
        for (RegionNetwork each : networks) {
            changes.add(each.network().network());
            BigInteger behind = number(each.network().network()).add(size(each.network()));
            if (behind.bitLength() <= bits(prefix.network())) {
                changes.add(address(behind, each.network().network().isIpv4()));
            }
        }
        Set<IpAddress> inside = new HashSet<>(changes);
        return inside.stream().filter(prefix::contains).allMatch(address -> region(address) == region);
    }

    static BigInteger size(Cidr cidr) {
        return BigInteger.ONE.shiftLeft(bits(cidr.network()) - cidr.length());
    }

    static int bits(IpAddress address) {
        return address.isIpv4() ? 32 : 128;
    }

    static BigInteger number(IpAddress address) {
        return new BigInteger(1, address.bytes());
    }

    static IpAddress address(BigInteger number, boolean ipv4) {
        byte[] bytes = new byte[ipv4 ? 4 : 16];
        for (int i = 0; i < bytes.length; i++) {
            bytes[bytes.length - 1 - i] = number.shiftRight(8 * i).byteValue();
        }
        return IpAddress.of(bytes);
    }

    /** Returns the network with this prefix length that contains the address. */
    static Cidr around(IpAddress address, int length) {
        int free = bits(address) - length;
        BigInteger first = number(address).shiftRight(free).shiftLeft(free);
        return new Cidr(address(first, address.isIpv4()), length);
    }
}
