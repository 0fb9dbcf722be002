package io.ballast.core.geo;

import io.ballast.core.Checks;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;

/**
 * The compiled regions of all addresses.
 *
 * <p>A look-up returns one number that contains {@link #region} and {@link #prefixLength}. The prefix is the
 * widest one around the address in which all addresses have the same region. It is the widest scope that an
 * answer may have (RFC 7871 section 7.2.1). Its length depends on the address family: 0 to 32 bits for IPv4,
 * 0 to 128 for IPv6. An IPv4-mapped IPv6 address ({@code ::ffff:a.b.c.d}) is treated as the IPv4 address.
 *
 * <p>Thread safety: immutable. Cost of a look-up: about ten steps over arrays, no allocation; {@code
 * RegionLookupBenchmark} measures it.
 */
public final class RegionTable {

    private static final long MAPPED = 0xFFFF;
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final RegionRanges ipv4;
    private final RegionRanges ipv6;

    private RegionTable(RegionRanges ipv4, RegionRanges ipv6) {
        this.ipv4 = ipv4;
        this.ipv6 = ipv6;
    }

    /**
     * Returns a table compiled only from networks. The longest prefix wins, and all other addresses belong to
     * {@code defaultRegion}.
     */
    public static RegionTable ofNetworks(List<RegionNetwork> networks, int defaultRegion) {
        return of(
                NetworkLayer.of(networks, /* ipv4= */ true),
                NetworkLayer.of(networks, /* ipv4= */ false),
                defaultRegion);
    }

    /** Compiles ranges of {@link RegionClaim}s. */
    static RegionTable of(RangeList ipv4, RangeList ipv6, int defaultRegion) {
        return new RegionTable(regions(ipv4, defaultRegion), regions(ipv6, defaultRegion));
    }

    private static RegionRanges regions(RangeList claims, int defaultRegion) {
        return new RegionRanges(
                claims.map(claim -> claim == RangeList.NOTHING ? defaultRegion : RegionClaim.region(claim)));
    }

    /**
     * Looks an address up.
     *
     * @param address 4 or 16 bytes in network order
     */
    public int find(byte[] address) {
        return find(address, 0, address.length);
    }

    /**
     * Looks up an address in a part of an array.
     *
     * @param from the index of its first byte
     * @param length 4 or 16
     */
    public int find(byte[] bytes, int from, int length) {
        if (length == 4) {
            return findIpv4((int) INT.get(bytes, from));
        }
        Checks.that(length == 16, "bytes", length, "4 or 16");
        return findIpv6((long) LONG.get(bytes, from), (long) LONG.get(bytes, from + 8));
    }

    /** Looks up an IPv4 address. */
    public int findIpv4(int address) {
        return ipv4.find((long) address << 32, 0);
    }

    /** Looks up an IPv6 address, given as its first and its last 64 bits. */
    public int findIpv6(long high, long low) {
        return high == 0 && low >>> 32 == MAPPED ? findIpv4((int) low) : ipv6.find(high, low);
    }

    /** Returns the region ID in a look-up result. */
    public static int region(int found) {
        return found >> RegionRanges.LENGTH_BITS;
    }

    /**
     * Returns the prefix length in a look-up result. It is the length of the widest prefix around the address
     * that lies in one region.
     */
    public static int prefixLength(int found) {
        return found & ((1 << RegionRanges.LENGTH_BITS) - 1);
    }

    /** Returns the number of address ranges; adjacent ranges have different regions. */
    public int ranges() {
        return ipv4.size() + ipv6.size();
    }
}
