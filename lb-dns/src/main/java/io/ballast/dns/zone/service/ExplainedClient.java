package io.ballast.dns.zone.service;

import io.ballast.core.net.IpAddress;
import io.ballast.dns.learn.Network;
import org.jspecify.annotations.Nullable;

/**
 * The client for which an answer is explained.
 *
 * @param address the client's address; null for an unspecified client
 * @param region the id of the client's region; 0 if the configuration defines no regions
 */
public record ExplainedClient(@Nullable IpAddress address, int region) {

    private static final int IPV4_HASH_BITS = 24;
    private static final int IPV6_HASH_BITS = 56;

    /**
     * Returns the leading address bits that hash routing uses. They are the same as for a real query of this
     * client.
     */
    long hashed() {
        return address == null ? 0 : leading() & (-1L << (64 - (address.isIpv4() ? IPV4_HASH_BITS : IPV6_HASH_BITS)));
    }

    /** Returns the client network for which round-trip times are learned. */
    long network() {
        return address == null ? 0 : Network.of(address.isIpv4(), leading());
    }

    private long leading() {
        if (address == null) {
            return 0;
        }
        return address.isIpv4() ? address.low() << 32 : address.high();
    }
}
