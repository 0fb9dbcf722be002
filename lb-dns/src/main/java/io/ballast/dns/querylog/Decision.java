package io.ballast.dns.querylog;

import org.jspecify.annotations.Nullable;

/**
 * How the query in hand is answered, and by what. Filled in by those who answer, query after query.
 *
 * <p>Thread safety: confined to one thread. Cost: allocates nothing.
 */
public final class Decision {

    private Outcome outcome = Outcome.AUTHORITY;
    private boolean forwarded;
    private @Nullable Object by;
    private long detail;

    /**
     * A zone answers.
     *
     * @param apexBytes length on the wire of its name, with which the name that was asked for ends
     */
    public void ofZone(int apexBytes) {
        set(Outcome.AUTHORITY, /* isForwarded= */ false, /* decider= */ null, apexBytes);
    }

    /** This server answers, and no zone. */
    public void ofServer(Outcome how) {
        set(how, /* isForwarded= */ false, /* decider= */ null, /* what= */ 0);
    }

    /** A name outside the zones is answered, by nothing that has a name. */
    public void forwarded(Outcome how) {
        forwarded(how, /* decider= */ null, /* what= */ 0);
    }

    /**
     * A name outside the zones is answered.
     *
     * @param decider its name is asked for later, on another thread: see {@link DeciderNames}; null if it has none
     * @param what about it decides, in its own terms
     */
    public void forwarded(Outcome how, @Nullable Object decider, long what) {
        set(how, /* isForwarded= */ true, decider, what);
    }

    private void set(Outcome how, boolean isForwarded, @Nullable Object decider, long what) {
        outcome = how;
        forwarded = isForwarded;
        by = decider;
        detail = what;
    }

    Outcome outcome() {
        return outcome;
    }

    boolean isForwarded() {
        return forwarded;
    }

    @Nullable Object by() {
        return by;
    }

    long detail() {
        return detail;
    }
}
