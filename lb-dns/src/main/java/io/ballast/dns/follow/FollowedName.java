package io.ballast.dns.follow;

import io.ballast.dns.answer.AddressFamily;

/**
 * A name that is followed, in one family.
 *
 * <p>Thread safety: guarded by the {@link FollowedNames} that it is of; any thread may read {@link #state}.
 */
final class FollowedName {

    private final String name;
    private final AddressFamily family;
    private volatile FollowState state;
    /** Whether nobody follows it any more. */
    private boolean gone;

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

    boolean isGone() {
        return gone;
    }

    void forget() {
        gone = true;
    }

    /** Whether it was failing when it was last replied to. */
    boolean isFailing() {
        return failing;
    }

    void failing(boolean now) {
        failing = now;
    }

    /** The one that is due earlier comes first. */
    int compareDue(FollowedName other) {
        return Long.signum(state.dueNanos() - other.state.dueNanos());
    }
}
