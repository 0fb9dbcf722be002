package io.ballast.dns.protect;

import io.ballast.core.net.CidrSet;
import io.ballast.dns.config.RateLimitConfig;

/**
 * The response counts of clients, shared by all answering threads. Responses are counted by address and by
 * the networks around it. The limit of each network is a multiple of the address limit. Therefore neither a
 * single client nor a network of clients or spoofed addresses can exceed its share.
 *
 * <p>Thread safety: shared by all answering threads without locks; see {@link RateTable} for the
 * consequences.
 */
public final class RateLimits {

    /** Prefix lengths and limits of the networks, in the order of checks; limits are multiples of the address limit. */
    private static final int[] IPV4_PREFIXES = {32, 24, 20, 18};

    private static final int[] IPV4_MULTIPLES = {1, 32, 256, 768};
    private static final int[] IPV6_PREFIXES = {128, 64, 56, 48, 32};
    private static final int[] IPV6_MULTIPLES = {1, 2, 3, 4, 64};

    /** Maximum number of networks of different prefix lengths in which one address is counted. */
    static final int MAX_PREFIXES = 5;

    private static final int IPV4_OFFSET = 96;
    private static final long HASH_INCREMENT = 0x9E3779B97F4A7C15L;

    private final RateTable table;
    private final long[] ipv4ResponseLoads;
    private final long[] ipv6ResponseLoads;
    private final CidrSet exempt;
    private final int slip;
    private final long k0;
    private final long k1;

    /**
     * Creates the limits without any counted queries or responses.
     *
     * @param k0 first half of a secret hash key; {@code k1} is the second half. Clients who do not know the secret
     *     cannot choose addresses that share a cell
     */
    public RateLimits(RateLimitConfig config, long k0, long k1) {
        this.table = new RateTable((double) config.rate() / config.instant());
        this.ipv4ResponseLoads = computeResponseLoads(IPV4_MULTIPLES, config.instant());
        this.ipv6ResponseLoads = computeResponseLoads(IPV6_MULTIPLES, config.instant());
        this.exempt = CidrSet.of(config.exempt());
        this.slip = config.slip();
        this.k0 = k0;
        this.k1 = k1;
    }

    private static long[] computeResponseLoads(int[] multiples, int instant) {
        long[] prices = new long[multiples.length];
        for (int i = 0; i < prices.length; i++) {
            prices[i] = RateTable.CAPACITY / ((long) instant * multiples[i]);
        }
        return prices;
    }

    boolean isExempt(long high, long low) {
        return !exempt.isEmpty() && exempt.contains(high, low);
    }

    int slip() {
        return slip;
    }

    RateTable table() {
        return table;
    }

    /**
     * Returns the number of prefix lengths for which an IPv4 or IPv6 address is counted; the longest prefix is the
     * whole address.
     */
    static int prefixCount(boolean ipv4) {
        return ipv4 ? IPV4_PREFIXES.length : IPV6_PREFIXES.length;
    }

    /** The load that one response adds to a network. */
    long responseLoad(boolean ipv4, int prefix) {
        return ipv4 ? ipv4ResponseLoads[prefix] : ipv6ResponseLoads[prefix];
    }

    /**
     * Returns the key of the network that contains the given address and has the prefix length with index {@code
     * prefix}.
     */
    long key(boolean ipv4, int prefix, long high, long low) {
        int bits = ipv4 ? IPV4_OFFSET + IPV4_PREFIXES[prefix] : IPV6_PREFIXES[prefix];
        long maskedHigh = bits >= 64 ? high : high & -1L << (64 - bits);
        long maskedLow = bits <= 64 ? 0 : low & -1L << (128 - bits);
        return mix((mix(maskedHigh ^ k0) + maskedLow + bits * HASH_INCREMENT) ^ k1);
    }

    /**
     * A bijective bit mixer, in which every input bit affects all output bits: <a
     * href="https://zimbry.blogspot.com/2011/09/better-bit-mixing-improving-on.html">Stafford's variant 13</a>.
     */
    private static long mix(long value) {
        long mixed = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }
}
