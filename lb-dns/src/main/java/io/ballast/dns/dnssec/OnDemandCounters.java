package io.ballast.dns.dnssec;

/** Counts the work of an {@link OnDemandSigner}; called on its thread, and must not block. */
public interface OnDemandCounters {

    /** A signature was computed. */
    void countSigned();

    /** A signature was refused because the time budget was used up. */
    void countRefused();
}
