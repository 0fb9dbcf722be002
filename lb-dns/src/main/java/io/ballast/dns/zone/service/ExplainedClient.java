package io.ballast.dns.zone.service;

import io.ballast.core.net.IpAddress;
import io.ballast.dns.learn.Network;
import org.jspecify.annotations.Nullable;

/**
 * The client that an explanation is for.
 *
 * @param address null for no client in particular
 * @param region the id of its region; 0 without geography
 */
public record ExplainedClient(@Nullable IpAddress address, int region) {

    private static final int IPV4_HASH_BITS = 24;
    private static final int IPV6_HASH_BITS = 56;

    /** Returns the bits of the address that are hashed, as for queries. */
    long hashed() {
        return address == null ? 0 : leading() & (-1L << (64 - (address.isIpv4() ? IPV4_HASH_BITS : IPV6_HASH_BITS)));
    }

    /** Returns the network for learned response times. */
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
