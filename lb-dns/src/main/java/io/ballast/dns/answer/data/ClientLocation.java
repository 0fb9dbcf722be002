package io.ballast.dns.answer.data;

import io.ballast.core.geo.RegionTable;
import java.util.Arrays;

/**
 * The location of the current query's client, and the part of its address that the answer depends on.
 *
 * <p>The address is the client subnet (ECS) if a trusted resolver sends one, otherwise the resolver's own address. A
 * resolver may also opt out (<a href="https://datatracker.ietf.org/doc/html/rfc7871#section-7.1.2">RFC 7871 section
 * 7.1.2</a>); in this case, the location is unknown.
 *
 * <p>Thread safety: confined to one thread, which reuses it for every query. Cost: an address is looked up at most once
 * per query, and only if an answer depends on it; allocates nothing.
 */
public final class ClientLocation {

    /** Prefix length of a client's network, which is the longest prefix that resolvers usually send. */
    static final int IPV4_NETWORK_BITS = 24;

    static final int IPV6_NETWORK_BITS = 56;

    private static final int MAPPED_BITS = 96;

    private PublishedAnswers published;
    private byte[] bytes = new byte[4];
    private int length;
    private int scope;
    /** Whether the region was looked up. If so, {@link #regionEntry} is the result. */
    private boolean isRegionKnown;

    private int regionEntry;

    public ClientLocation(PublishedAnswers published) {
        this.published = published;
    }

    /** Uses the region table of {@code answers} from the next query on. */
    public void use(PublishedAnswers answers) {
        published = answers;
    }

    /**
     * Starts a query with the client's address. {@code bytes} is the length of the address: 4, 16, or 0 if the
     * location is unknown.
     */
    public void beginQuery(byte[] address, int bytes) {
        this.bytes = address;
        length = bytes;
        scope = 0;
        isRegionKnown = false;
    }

    /** The ECS scope: the number of leading address bits that the selected answers depend on. */
    public int scope() {
        return scope;
    }

    /** The client's region; {@code otherwise} if the location is unknown. */
    public int region(int otherwise) {
        RegionTable regions = published.regions();
        if (length == 0 || regions == null) {
            return otherwise;
        }
        if (!isRegionKnown) {
            isRegionKnown = true;
            regionEntry = regions.find(bytes, 0, length);
        }
        dependsOn(RegionTable.prefixLength(regionEntry) + (isMapped() ? MAPPED_BITS : 0));
        return RegionTable.region(regionEntry);
    }

    /** A hash of the client's network, equal for all clients in it; 0 if the location is unknown. */
    public long network() {
        if (length == 0) {
            return 0;
        }
        int bits = length == 4 ? IPV4_NETWORK_BITS : IPV6_NETWORK_BITS;
        dependsOn(bits);
        return prefix(bits);
    }

    /** Returns the first {@code bits} bits of the address, at most 64, as the upper bits of a number. */
    public long prefix(int bits) {
        long prefix = 0;
        int count = (bits + 7) >>> 3;
        for (int i = 0; i < count; i++) {
            prefix |= (bytes[i] & 0xFFL) << (56 - 8 * i);
        }
        return prefix;
    }

    public boolean isUnknown() {
        return length == 0;
    }

    public boolean isIpv4() {
        return length == 4;
    }

    /** Records that the answer depends on the first {@code bits} bits of the address. */
    public void dependsOn(int bits) {
        scope = Math.max(scope, bits);
    }

    /** Whether the address is an IPv4-mapped IPv6 address, ::ffff:a.b.c.d. */
    private boolean isMapped() {
        if (length != 16) {
            return false;
        }
        for (int i = 0; i < 10; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return bytes[10] == -1 && bytes[11] == -1;
    }

    @Override
    public String toString() {
        return length == 0 ? "nowhere" : Arrays.toString(Arrays.copyOf(bytes, length));
    }
}
