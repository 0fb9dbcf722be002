package io.ballast.dns.dnssec;

/**
 * Counts the work of an {@link OnDemandSigner}. Its methods are called on the signer's thread and must not
 * block.
 */
public interface OnDemandCounters {

    /** Called when a signature was computed. */
    void countSigned();

    /** Called when a signature was refused because the time budget was used up. */
    void countRefused();
}
