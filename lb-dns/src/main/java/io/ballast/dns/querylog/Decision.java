package io.ballast.dns.querylog;

import org.jspecify.annotations.Nullable;

/**
 * The decision about the current query: its outcome, and what decided it. Filled in by the answering code for every
 * query.
 *
 * <p>Thread safety: confined to one thread. Cost: allocates nothing.
 */
public final class Decision {

    private Outcome outcome = Outcome.AUTHORITY;
    private boolean forwarded;
    private @Nullable Object by;
    private long detail;

    /**
     * Records an answer of a zone.
     *
     * @param apexBytes wire length of the zone name, which is a suffix of the query name
     */
    public void ofZone(int apexBytes) {
        set(Outcome.AUTHORITY, /* isForwarded= */ false, /* decider= */ null, apexBytes);
    }

    /** Records an answer of the server itself, outside any zone. */
    public void ofServer(Outcome how) {
        set(how, /* isForwarded= */ false, /* decider= */ null, /* what= */ 0);
    }

    /** Records an answer for a name outside the zones, without a decider. */
    public void forwarded(Outcome how) {
        forwarded(how, /* decider= */ null, /* what= */ 0);
    }

    /**
     * Records an answer for a name outside the zones.
     *
     * @param decider rule list or resolver that decided, see {@link DeciderLabeler}; null if there is none. It is
     *     converted to a name later, on another thread
     * @param what detail of the decision, with a decider-specific meaning
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
