package io.ballast.dns.forward.cache;

import io.ballast.dns.forward.question.ClientSubnet;

/**
 * The scope of an answer (<a href="https://datatracker.ietf.org/doc/html/rfc7871#section-7.3.1">RFC 7871
 * section 7.3.1</a>).
 *
 * <p>Thread safety: immutable.
 *
 * @param network the client network for which the answer is valid
 * @param isExact whether the answer is valid only for queries with exactly this subnet, not for all
 *     addresses in the network
 */
public record AnswerScope(ClientSubnet network, boolean isExact) {

    private static final int ANY_FAMILY = 3;

    /** The scope of all networks. It has the shortest prefix, so it is sorted after all other scopes. */
    static final AnswerScope ALL_CLIENTS =
            new AnswerScope(new ClientSubnet(ANY_FAMILY, 0, /* isLongestPrefix= */ false, 0, 0), /* isExact= */ false);

    /**
     * Returns the scope of an answer.
     *
     * @param querySubnet the subnet in the query
     * @param responseBits the scope in the response: prefix length, or {@link ClientSubnet#UNKNOWN_SCOPE}
     */
    static AnswerScope of(ClientSubnet querySubnet, int responseBits) {
        if (!querySubnet.isNetwork()) {
            return new AnswerScope(querySubnet, /* isExact= */ true);
        }
        if (responseBits == 0) {
            return ALL_CLIENTS;
        }
        if (responseBits <= querySubnet.bits()) {
            return new AnswerScope(querySubnet.truncate(responseBits), /* isExact= */ false);
        }
        return new AnswerScope(querySubnet.truncate(querySubnet.bits()), /* isExact= */ !querySubnet.isLongestPrefix());
    }

    /** Returns the scope of a failure, which is valid for the queried subnet only. */
    static AnswerScope ofFailure(ClientSubnet querySubnet) {
        return new AnswerScope(querySubnet.truncate(querySubnet.bits()), /* isExact= */ true);
    }

    /** Returns whether the scope covers the subnet of the query. */
    boolean contains(int family, int bits, long high, long low) {
        if (isExact) {
            return network.isSame(family, bits, high, low);
        }
        return network.family() == ANY_FAMILY || network.contains(family, bits, high, low);
    }

    /** Returns whether this scope is tried before another one: longer prefixes first, then exact scopes. */
    boolean precedes(AnswerScope other) {
        int bits = network.bits();
        int otherBits = other.network.bits();
        return bits == otherBits ? isExact && !other.isExact : bits > otherBits;
    }
}
