package io.ballast.dns.answer;

import io.ballast.core.geo.RegionTable;
import java.util.Arrays;

/**
 * Where the client of the present query is, and how much of its address the answer depends on.
 *
 * <p>The address is that of the network for which the query is asked, if the resolver tells it and is believed, else the
 * resolver's own. A resolver may also ask not to use any (<a
 * href="https://datatracker.ietf.org/doc/html/rfc7871#section-7.1.2">RFC 7871 section 7.1.2</a>): then the client is
 * nowhere.
 *
 * <p>Thread safety: confined to one thread, which uses it for one query after the other. Cost: an address is looked up
 * once for a query, and only if an answer depends on it; allocates nothing.
 */
final class ClientLocation {

    /** How much of an address ties a client to an address of a service: what resolvers tell at most. */
    static final int IPV4_NETWORK_BITS = 24;

    static final int IPV6_NETWORK_BITS = 56;

    private static final int NOT_LOOKED_UP = -1;
    private static final int MAPPED_BITS = 96;

    private PublishedAnswers published;
    private byte[] octets = new byte[4];
    private int length;
    private int scope;
    private int found = NOT_LOOKED_UP;

    ClientLocation(PublishedAnswers published) {
        this.published = published;
    }

    /** From the next query on, the regions are those of these answers. */
    void use(PublishedAnswers answers) {
        published = answers;
    }

    /** A query begins whose client has this address, of {@code bytes} octets: 4, 16, or 0 if it is nowhere. */
    void at(byte[] address, int bytes) {
        octets = address;
        length = bytes;
        scope = 0;
        found = NOT_LOOKED_UP;
    }

    /** For how many leading bits of the address the answers that were selected are the same. */
    int scope() {
        return scope;
    }

    /** The region that the client belongs to; {@code otherwise} if it is nowhere. */
    int region(int otherwise) {
        RegionTable regions = published.regions();
        if (length == 0 || regions == null) {
            return otherwise;
        }
        if (found == NOT_LOOKED_UP) {
            found = regions.find(octets, 0, length);
        }
        dependsOn(RegionTable.prefixLength(found) + (isMapped() ? MAPPED_BITS : 0));
        return RegionTable.region(found);
    }

    /** A hash of the client's network, the same for all clients in it; always the same if it is nowhere. */
    long network() {
        if (length == 0) {
            return 0;
        }
        int bits = length == 4 ? IPV4_NETWORK_BITS : IPV6_NETWORK_BITS;
        dependsOn(bits);
        return prefix(bits);
    }

    /** The leading bits of the address, 64 at most, as the upper bits of a number. */
    long prefix(int bits) {
        long prefix = 0;
        int count = (bits + 7) >>> 3;
        for (int i = 0; i < count; i++) {
            prefix |= (octets[i] & 0xFFL) << (56 - 8 * i);
        }
        return prefix;
    }

    boolean isNowhere() {
        return length == 0;
    }

    boolean isIpv4() {
        return length == 4;
    }

    /** The answer may be another one for addresses that differ in these leading bits. */
    void dependsOn(int bits) {
        scope = Math.max(scope, bits);
    }

    /** An IPv4 address in the form of an IPv6 one, ::ffff:a.b.c.d. */
    private boolean isMapped() {
        if (length != 16) {
            return false;
        }
        for (int i = 0; i < 10; i++) {
            if (octets[i] != 0) {
                return false;
            }
        }
        return octets[10] == -1 && octets[11] == -1;
    }

    @Override
    public String toString() {
        return length == 0 ? "nowhere" : Arrays.toString(Arrays.copyOf(octets, length));
    }
}
