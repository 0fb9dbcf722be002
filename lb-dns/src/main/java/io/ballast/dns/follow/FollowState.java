package io.ballast.dns.follow;

import io.ballast.dns.follow.FollowedAddresses.State;
import io.ballast.dns.forward.cache.CacheEntry;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * The state of an alias target outside the zones, in one address family: its addresses, and how each reply
 * changes the state.
 *
 * <p>A name is looked up again after half of the TTL of its answer. Clients get the other half as TTL, so
 * that no client holds an address longer than the name's owner allows:
 *
 * <pre>
 *   answered with TTL t         looked up again              TTL expires
 *   |---------------------------|----------------------------|
 *   0                          t/2                           t
 *   |  a client queries just before:
 *   |                          |----- holds it for t/2 -----|
 * </pre>
 *
 * <p>If the TTL is below twice {@link RefreshPolicy#min}, clients get less than half of it. If the TTL is
 * below {@code min}, clients may hold an address longer than the TTL, by up to the difference.
 *
 * <p>If no resolver answers, the state is kept: unchanged until {@code t}, then stale for a day (RFC 8767). A
 * negative answer is kept for the same time.
 *
 * <p>A denial for a name that has addresses would take down every service that uses the name. It is often a
 * mistake: a zone that was briefly published without the name, or a server that does not have the zone yet.
 * A denial therefore takes effect only if it is repeated after the TTL of the first one, when no cache still
 * has the first denial. Until then, for at most 5 minutes, the addresses are served stale. A denial for a
 * name without addresses takes effect immediately.
 *
 * <p>Immutable.
 *
 * @param answeredNanos time of the last answer
 * @param endNanos end of that answer's TTL
 * @param denials number of consecutive denials that have not taken effect
 * @param failures number of consecutive failures
 * @param dueNanos time of the next lookup
 */
record FollowState(
        State state,
        List<InetAddress> addresses,
        int ttlSeconds,
        String reason,
        long answeredNanos,
        long endNanos,
        int denials,
        int failures,
        long dueNanos) {

    /** Maximum number of addresses of a name that are served, per address family. */
    static final int MAX_ADDRESSES = 32;

    private static final int REQUIRED_DENIALS = 2;
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    FollowState {
        addresses = List.copyOf(addresses);
    }

    /** The state before the first lookup, which is due now. */
    static FollowState unknown(long nowNanos) {
        return new FollowState(
                State.UNKNOWN,
                List.of(),
                /* ttlSeconds= */ 0,
                "no lookup has completed yet",
                nowNanos,
                nowNanos,
                /* denials= */ 0,
                /* failures= */ 0,
                nowNanos);
    }

    /** Returns the state that follows from the result of a lookup. */
    FollowState after(LookupResult reply, RefreshPolicy pace, long nowNanos) {
        if (reply instanceof LookupResult.Addresses known) {
            return afterAddresses(known, pace, nowNanos);
        }
        if (reply instanceof LookupResult.None none) {
            return afterDenial(none, pace, nowNanos);
        }
        return afterFailure(((LookupResult.Failed) reply).reason(), pace, nowNanos);
    }

    private static FollowState afterAddresses(LookupResult.Addresses reply, RefreshPolicy pace, long nowNanos) {
        // Sorted, because resolvers rotate the addresses, and a different order does not count as a change.
        List<InetAddress> addresses = reply.addresses().stream()
                .distinct()
                .sorted((one, other) -> Arrays.compareUnsigned(one.getAddress(), other.getAddress()))
                .limit(MAX_ADDRESSES)
                .toList();
        String reason = "a resolver answered, TTL " + reply.ttlSeconds() + " s";
        return afterAnswer(State.KNOWN, addresses, reason, reply.ttlSeconds(), pace, nowNanos);
    }

    private FollowState afterDenial(LookupResult.None reply, RefreshPolicy pace, long nowNanos) {
        if (addresses.isEmpty() || denials + 1 >= REQUIRED_DENIALS) {
            return afterAnswer(State.NONE, List.of(), reply.reason(), reply.ttlSeconds(), pace, nowNanos);
        }
        return new FollowState(
                State.STALE,
                addresses,
                Math.min(ttlSeconds, CacheEntry.STALE_TTL_SECONDS),
                reply.reason() + "; the last addresses are served until a second answer confirms the first one",
                answeredNanos,
                endNanos,
                denials + 1,
                /* failures= */ 0,
                nowNanos + pace.confirmAfterNanos(reply.ttlSeconds()));
    }

    private static FollowState afterAnswer(
            State state,
            List<InetAddress> addresses,
            String reason,
            int ttlSeconds,
            RefreshPolicy pace,
            long nowNanos) {
        return new FollowState(
                state,
                addresses,
                pace.clientTtlSeconds(ttlSeconds),
                reason,
                nowNanos,
                nowNanos + ttlSeconds * NANOS_PER_SECOND,
                /* denials= */ 0,
                /* failures= */ 0,
                nowNanos + pace.refreshAfterNanos(ttlSeconds));
    }

    private FollowState afterFailure(String why, RefreshPolicy pace, long nowNanos) {
        int more = failures + 1;
        long retry = nowNanos + pace.retryAfterNanos(more);
        if (!isKnown() || nowNanos - answeredNanos >= pace.stale().toNanos()) {
            return with(State.FAILED, List.of(), /* ttl= */ 0, why, more, retry);
        }
        long left = endNanos - nowNanos;
        if (left > 0) {
            // The state is still valid; look up the name again when the TTL ends, unless a retry is due earlier.
            int ttl = (int) Math.max(Math.min(ttlSeconds, left / NANOS_PER_SECOND), 1);
            long atEnd = Math.max(endNanos, nowNanos + pace.min().toNanos());
            return with(state, addresses, ttl, reason, more, Math.min(retry, atEnd));
        }
        State next = state == State.NONE ? State.NONE : State.STALE;
        String kept = why + "; the last addresses are used for one more day";
        return with(next, addresses, CacheEntry.STALE_TTL_SECONDS, kept, more, retry);
    }

    private FollowState with(
            State next, List<InetAddress> nextAddresses, int ttl, String nextReason, int nextFailures, long nextDue) {
        return new FollowState(
                next, nextAddresses, ttl, nextReason, answeredNanos, endNanos, denials, nextFailures, nextDue);
    }

    /** Returns a copy of this state with a different due time for the next lookup. */
    FollowState dueAt(long nanos) {
        return with(state, addresses, ttlSeconds, reason, failures, nanos);
    }

    private boolean isKnown() {
        return state != State.UNKNOWN && state != State.FAILED;
    }

    /** Whether lookups fail and the TTL of the last answer has ended. */
    boolean isFailing(long nowNanos) {
        return failures > 0 && (!isKnown() || nowNanos - endNanos >= 0);
    }

    /** Whether clients get a different answer than in the state {@code before}. */
    boolean differsFrom(FollowState before) {
        return state != before.state || ttlSeconds != before.ttlSeconds || !addresses.equals(before.addresses);
    }

    /** Returns the public view of this state. */
    FollowedAddresses toFollowedAddresses(long nowNanos) {
        Duration age = isKnown() ? Duration.ofNanos(Math.max(nowNanos - answeredNanos, 0)) : Duration.ZERO;
        return new FollowedAddresses(addresses, ttlSeconds, state, reason, age);
    }
}
