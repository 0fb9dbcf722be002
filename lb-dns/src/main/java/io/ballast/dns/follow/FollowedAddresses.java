package io.ballast.dns.follow;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;

/**
 * What addresses of one family a followed name has.
 *
 * @param addresses in ascending order, each once; none unless the state is {@link State#KNOWN} or {@link State#STALE}
 * @param ttlSeconds for how long clients may hold them, or that there are none; 0 where nothing is known
 * @param reason in words, for those who ask why
 * @param age since this was last said by a resolver; zero where nothing is known
 */
public record FollowedAddresses(List<InetAddress> addresses, int ttlSeconds, State state, String reason, Duration age) {

    /** Of a name that nobody has asked to follow. */
    static final FollowedAddresses NOT_FOLLOWED =
            new FollowedAddresses(List.of(), /* ttlSeconds= */ 0, State.UNKNOWN, "not followed", Duration.ZERO);

    /** How much is known. */
    public enum State {
        /** No resolver has been asked to the end. */
        UNKNOWN,
        /** The addresses are those that the name has. */
        KNOWN,
        /** They are those that it had: resolvers do not answer, or have denied them once. */
        STALE,
        /** There is no such name, or it has no addresses of the family. */
        NONE,
        /** Resolvers do not answer, and nothing is known that could be given out instead. */
        FAILED
    }

    public FollowedAddresses {
        addresses = List.copyOf(addresses);
    }
}
