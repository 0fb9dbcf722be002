package io.ballast.dns.follow;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;

/**
 * The addresses of an external name (an alias target) in one address family.
 *
 * @param addresses distinct addresses in ascending order; empty unless the state is {@link State#KNOWN} or
 *     {@link State#STALE}
 * @param ttlSeconds TTL for clients, also of a negative answer; 0 if nothing is known
 * @param reason plain-text reason for the state
 * @param age time since the last answer; zero if nothing is known
 */
public record FollowedAddresses(List<InetAddress> addresses, int ttlSeconds, State state, String reason, Duration age) {

    /** The result for a name that the resolver does not look up. */
    static final FollowedAddresses NOT_FOLLOWED =
            new FollowedAddresses(List.of(), /* ttlSeconds= */ 0, State.UNKNOWN, "not followed", Duration.ZERO);

    /** The state of the addresses of a name that the resolver looks up. */
    public enum State {
        /** No lookup has completed yet. */
        UNKNOWN,
        /** The addresses are current. */
        KNOWN,
        /** The addresses are outdated: resolvers do not answer, or have returned only a first, unconfirmed denial. */
        STALE,
        /** The name does not exist, or has no addresses of this address family. */
        NONE,
        /** Resolvers do not answer, and there are no stale addresses to serve. */
        FAILED
    }

    public FollowedAddresses {
        addresses = List.copyOf(addresses);
    }
}
