package io.ballast.dns.dnssec;

/** Signs sets of records of one owner. Used by a thread that compiles answers. */
@FunctionalInterface
public interface SetSigner {

    /** Leaves it to the time when a name is asked: for wildcards, and for what hardly anybody asks. */
    SetSigner ON_DEMAND = set -> new SignedSet(set, null);

    SignedSet sign(CanonicalRrset set);
}
