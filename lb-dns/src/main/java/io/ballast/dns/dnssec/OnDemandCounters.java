package io.ballast.dns.dnssec;

/** Is told what an {@link OnDemandSigner} does; called on its thread, must return at once. */
public interface OnDemandCounters {

    /** A signature was computed. */
    void signed();

    /** A signature was refused for want of time. */
    void refused();
}
