package io.ballast.dns.querylog;

import org.jspecify.annotations.Nullable;

/**
 * The decision about the current query: its outcome, and the rule list or resolver that decided it. Filled in
 * by the answering code for every query.
 *
 * <p>Thread safety: confined to one thread. Cost: allocates nothing.
 */
public final class Decision {

    private Outcome outcome = Outcome.AUTHORITY;
    private boolean forwarded;
    private @Nullable Object decider;
    private long detail;

    /**
     * Records that a zone answered the query.
     *
     * @param apexBytes wire length of the zone name, which is a suffix of the query name
     */
    public void setZone(int apexBytes) {
        set(Outcome.AUTHORITY, /* isForwarded= */ false, /* decider= */ null, apexBytes);
    }

    /** Records that the server itself answered the query, with data that belongs to no zone. */
    public void setServer(Outcome result) {
        set(result, /* isForwarded= */ false, /* decider= */ null, /* newDetail= */ 0);
    }

    /** Records an answer for a name outside the zones, if no rule list or resolver decided it. */
    public void forwarded(Outcome result) {
        forwarded(result, /* decider= */ null, /* deciderDetail= */ 0);
    }

    /**
     * Records an answer for a name outside the zones.
     *
     * @param decider rule list or resolver that decided, see {@link DeciderLabeler}; null if there is none. It is
     *     converted to a name later, on another thread
     * @param deciderDetail detail of the decision, with a decider-specific meaning
     */
    public void forwarded(Outcome result, @Nullable Object decider, long deciderDetail) {
        set(result, /* isForwarded= */ true, decider, deciderDetail);
    }

    private void set(Outcome newOutcome, boolean isForwarded, @Nullable Object decider, long newDetail) {
        outcome = newOutcome;
        forwarded = isForwarded;
        this.decider = decider;
        detail = newDetail;
    }

    Outcome outcome() {
        return outcome;
    }

    boolean isForwarded() {
        return forwarded;
    }

    @Nullable Object decider() {
        return decider;
    }

    long detail() {
        return detail;
    }
}
