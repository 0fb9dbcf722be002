package io.ballast.dns.follow;

import io.ballast.dns.answer.data.AddressFamily;

/**
 * A name whose addresses in one address family are looked up regularly.
 *
 * <p>Thread safety: guarded by the lock of its {@link AliasResolver}; any thread may read {@link #state}.
 */
final class FollowedName {

    private final String name;
    private final AddressFamily family;
    private volatile FollowState state;
    /** Whether the addresses of this name are no longer looked up. */
    private boolean closed;

    private boolean failing;

    FollowedName(String name, AddressFamily family, long nowNanos) {
        this.name = name;
        this.family = family;
        this.state = FollowState.unknown(nowNanos);
    }

    String name() {
        return name;
    }

    AddressFamily family() {
        return family;
    }

    FollowState state() {
        return state;
    }

    void state(FollowState next) {
        state = next;
    }

    boolean isClosed() {
        return closed;
    }

    void forget() {
        closed = true;
    }

    /** Whether lookups of the name were failing when the last reply arrived. */
    boolean isFailing() {
        return failing;
    }

    void failing(boolean now) {
        failing = now;
    }

    /** Orders names by due time. */
    int compareDue(FollowedName other) {
        return Long.signum(state.dueNanos() - other.state.dueNanos());
    }
}
