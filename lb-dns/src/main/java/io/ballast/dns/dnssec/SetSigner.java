package io.ballast.dns.dnssec;

/** Signs record sets of one owner. Used by threads that compile answers. */
@FunctionalInterface
public interface SetSigner {

    /** Defers signing to query time. Used for wildcards, and for rarely queried record sets. */
    SetSigner ON_DEMAND = set -> new SignedRrset(set, null);

    SignedRrset sign(CanonicalRrset set);
}
