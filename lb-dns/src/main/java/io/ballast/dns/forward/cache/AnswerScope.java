package io.ballast.dns.forward.cache;

import io.ballast.dns.forward.question.ClientSubnet;

/**
 * The scope of an answer (<a href="https://datatracker.ietf.org/doc/html/rfc7871#section-7.3.1">RFC 7871 section 7.3.1</a>).
 *
 * <p>Thread safety: immutable.
 *
 * @param network the network of the clients
 * @param isExact whether the answer is valid only for queries with exactly this subnet, not for all addresses inside
 */
public record AnswerScope(ClientSubnet network, boolean isExact) {

    private static final int ANY_FAMILY = 3;

    /** All networks. Sorted after all other scopes, as it is the shortest. */
    static final AnswerScope EVERYONE =
            new AnswerScope(new ClientSubnet(ANY_FAMILY, 0, /* isLongest= */ false, 0, 0), /* isExact= */ false);

    /**
     * Returns the scope of an answer.
     *
     * @param asked the subnet in the query
     * @param told the scope in the response: prefix length, or {@link ClientSubnet#UNSHARED}
     */
    static AnswerScope of(ClientSubnet asked, int told) {
        if (!asked.isNetwork()) {
            return new AnswerScope(asked, /* isExact= */ true);
        }
        if (told == 0) {
            return EVERYONE;
        }
        if (told <= asked.bits()) {
            return new AnswerScope(asked.cut(told), /* isExact= */ false);
        }
        return new AnswerScope(asked.cut(asked.bits()), /* isExact= */ !asked.isLongest());
    }

    /** Returns the scope of a failure, which is valid for the queried subnet only. */
    static AnswerScope ofFailure(ClientSubnet asked) {
        return new AnswerScope(asked.cut(asked.bits()), /* isExact= */ true);
    }

    /** Returns whether the scope covers the subnet of the query. */
    boolean contains(int family, int bits, long high, long low) {
        if (isExact) {
            return network.isSame(family, bits, high, low);
        }
        return network.family() == ANY_FAMILY || network.contains(family, bits, high, low);
    }

    /** Returns whether the scope is tried before the other: longer prefixes first, then exact ones. */
    boolean comesBefore(AnswerScope other) {
        int bits = network.bits();
        int others = other.network.bits();
        return bits == others ? isExact && !other.isExact : bits > others;
    }
}
