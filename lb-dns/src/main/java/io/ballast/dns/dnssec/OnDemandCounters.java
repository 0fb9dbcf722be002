package io.ballast.dns.dnssec;

/** Counts the work of an {@link OnDemandSigner}; called on its thread, and must return at once. */
public interface OnDemandCounters {

    /** A signature was computed. */
    void signed();

    /** A signature was refused because the time budget was used up. */
    void refused();
}
