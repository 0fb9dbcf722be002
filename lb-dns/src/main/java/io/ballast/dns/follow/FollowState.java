package io.ballast.dns.follow;

import io.ballast.dns.follow.FollowedAddresses.State;
import io.ballast.dns.forward.cache.KeptAnswer;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * What is known of one family of a name's addresses, and what follows from the next reply.
 *
 * <p>A name is asked for again after half of the TTL of its answer, and its addresses are given out with the other half, so that
 * no client holds an address for longer than the owner of the name says:
 *
 * <pre>
 *   answered with TTL t         asked again                  t is over
 *   |---------------------------|----------------------------|
 *   0                          t/2                           t
 *   |  a client comes just before:
 *   |                          |----- holds it for t/2 -----|
 * </pre>
 *
 * <p>A TTL of less than {@link FollowPace#least} twice leaves less than half, and one of less than that is exceeded by so much.
 *
 * <p>If nobody answers, then what is known stays: as it was until {@code t}, from then on as stale, for a day (RFC 8767). That
 * there are no addresses is known for as long.
 *
 * <p>An answer that a name which has addresses has none any more takes every service on it down, and is often a slip: a zone that
 * is published without it for a moment, a server that does not have the zone yet. So it is believed when it is said twice in a row,
 * the second time when the TTL of the first is over, lest a cache repeat itself. Until then, 5 minutes at most, the addresses
 * are kept as stale. A name that had none is believed at once.
 *
 * <p>Immutable.
 *
 * @param saidNanos when a resolver last said so
 * @param endNanos when the TTL of that is over
 * @param denials in a row that were not believed
 * @param failures in a row
 * @param dueNanos when it is asked for next
 */
record FollowState(
        State state,
        List<InetAddress> addresses,
        int ttlSeconds,
        String reason,
        long saidNanos,
        long endNanos,
        int denials,
        int failures,
        long dueNanos) {

    /** Addresses of a name that are given out, of each family. */
    static final int MOST_ADDRESSES = 32;

    private static final int DENIALS_BELIEVED = 2;
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    FollowState {
        addresses = List.copyOf(addresses);
    }

    /** Nobody has been asked; that is due now. */
    static FollowState unknown(long nowNanos) {
        return new FollowState(
                State.UNKNOWN,
                List.of(),
                /* ttlSeconds= */ 0,
                "not answered yet",
                nowNanos,
                nowNanos,
                /* denials= */ 0,
                /* failures= */ 0,
                nowNanos);
    }

    /** After a reply. */
    FollowState after(Reply reply, FollowPace pace, long nowNanos) {
        if (reply instanceof Reply.Addresses known) {
            return answered(known, pace, nowNanos);
        }
        if (reply instanceof Reply.None none) {
            return denied(none, pace, nowNanos);
        }
        return failed(((Reply.Failed) reply).reason(), pace, nowNanos);
    }

    private static FollowState answered(Reply.Addresses reply, FollowPace pace, long nowNanos) {
        // Resolvers turn the order with each answer; that is no change.
        List<InetAddress> addresses = reply.addresses().stream()
                .distinct()
                .sorted((one, other) -> Arrays.compareUnsigned(one.getAddress(), other.getAddress()))
                .limit(MOST_ADDRESSES)
                .toList();
        String reason = "a resolver answered, TTL " + reply.ttlSeconds() + " s";
        return said(State.KNOWN, addresses, reason, reply.ttlSeconds(), pace, nowNanos);
    }

    private FollowState denied(Reply.None reply, FollowPace pace, long nowNanos) {
        if (addresses.isEmpty() || denials + 1 >= DENIALS_BELIEVED) {
            return said(State.NONE, List.of(), reply.reason(), reply.ttlSeconds(), pace, nowNanos);
        }
        return new FollowState(
                State.STALE,
                addresses,
                Math.min(ttlSeconds, KeptAnswer.STALE_TTL_SECONDS),
                reply.reason() + "; that is believed when it is said again, until then the addresses are the last ones",
                saidNanos,
                endNanos,
                denials + 1,
                /* failures= */ 0,
                nowNanos + pace.confirmAfterNanos(reply.ttlSeconds()));
    }

    private static FollowState said(
            State state, List<InetAddress> addresses, String reason, int ttlSeconds, FollowPace pace, long nowNanos) {
        return new FollowState(
                state,
                addresses,
                pace.givenSeconds(ttlSeconds),
                reason,
                nowNanos,
                nowNanos + ttlSeconds * NANOS_PER_SECOND,
                /* denials= */ 0,
                /* failures= */ 0,
                nowNanos + pace.askAfterNanos(ttlSeconds));
    }

    private FollowState failed(String why, FollowPace pace, long nowNanos) {
        int more = failures + 1;
        long retry = nowNanos + pace.retryAfterNanos(more);
        if (!isKnown() || nowNanos - saidNanos >= pace.stale().toNanos()) {
            return with(State.FAILED, List.of(), /* ttl= */ 0, why, more, retry);
        }
        long left = endNanos - nowNanos;
        if (left > 0) {
            // What is known still holds; once more just when it ends, if there is no try before.
            int ttl = (int) Math.max(Math.min(ttlSeconds, left / NANOS_PER_SECOND), 1);
            long atEnd = Math.max(endNanos, nowNanos + pace.least().toNanos());
            return with(state, addresses, ttl, reason, more, Math.min(retry, atEnd));
        }
        State next = state == State.NONE ? State.NONE : State.STALE;
        String kept = why + "; what was last known is kept for a day";
        return with(next, addresses, KeptAnswer.STALE_TTL_SECONDS, kept, more, retry);
    }

    private FollowState with(
            State next, List<InetAddress> nextAddresses, int ttl, String nextReason, int nextFailures, long nextDue) {
        return new FollowState(
                next, nextAddresses, ttl, nextReason, saidNanos, endNanos, denials, nextFailures, nextDue);
    }

    /** The same, due at another time. */
    FollowState dueAt(long nanos) {
        return with(state, addresses, ttlSeconds, reason, failures, nanos);
    }

    private boolean isKnown() {
        return state != State.UNKNOWN && state != State.FAILED;
    }

    /** Whether resolvers say nothing about it any more, and what they said has ended. */
    boolean isFailing(long nowNanos) {
        return failures > 0 && (!isKnown() || nowNanos - endNanos >= 0);
    }

    /** Whether clients are told something else than before. */
    boolean differsFrom(FollowState before) {
        return state != before.state || ttlSeconds != before.ttlSeconds || !addresses.equals(before.addresses);
    }

    /** As others may know it. */
    FollowedAddresses at(long nowNanos) {
        Duration age = isKnown() ? Duration.ofNanos(Math.max(nowNanos - saidNanos, 0)) : Duration.ZERO;
        return new FollowedAddresses(addresses, ttlSeconds, state, reason, age);
    }
}
