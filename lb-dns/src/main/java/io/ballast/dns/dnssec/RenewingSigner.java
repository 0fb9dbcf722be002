package io.ballast.dns.dnssec;

import io.ballast.dns.wire.Wire;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Signs the many names of a zone that are no more than their records. It keeps nothing: it is told the signature that a set
 * has, and makes a new one where there is none or too little of its time is left. Not for wildcards.
 *
 * <p>Thread safety: confined to one thread; several may sign for one zone at the same time.
 */
public final class RenewingSigner {

    private static final int EXPIRATION_AT = 8;
    private static final int INCEPTION_AT = 12;

    private final SignedZone zone;
    private final RrsetSigner signer;
    private final long now;
    private final long freshUntil;
    private final SplittableRandom random;
    private final Denial denial = new Denial();

    /**
     * @param now in seconds since 1970
     * @param freshUntil signatures that end later are good
     * @param seed spreads the ends of signatures
     */
    RenewingSigner(SignedZone zone, RrsetSigner signer, long now, long freshUntil, long seed) {
        this.zone = zone;
        this.signer = signer;
        this.now = now;
        this.freshUntil = freshUntil;
        this.random = new SplittableRandom(seed);
    }

    /**
     * The RRSIG record of a set.
     *
     * @param owner in lower case and wire format
     * @param known the data of the one that it has had so far; null for none
     */
    public SignedRecords signature(byte[] owner, CanonicalRrset set, byte @Nullable [] known) {
        return SignedLayout.signature(rrsig(owner, set, known), set.servedTtlSeconds());
    }

    /**
     * The signed proof that a name has these types and no others.
     *
     * @param known the data of the RRSIG record that it has had so far; null for none
     */
    public NameProof proof(byte[] name, byte @Nullable [] known, int... types) {
        Proof proof = denial.types(zone, name, name.length, zone.bitmap(types));
        return NameProof.of(SignedLayout.proof(proof, rrsig(proof.owner(), proof.set(), known)));
    }

    private byte[] rrsig(byte[] owner, CanonicalRrset set, byte @Nullable [] known) {
        if (known != null && isFresh(known)) {
            return known;
        }
        return signer.sign(zone, set, owner, owner.length, now, ZoneSigner.expiration(zone, now, random));
    }

    /** Until it is looked at again, enough time is left; and the clock was not set back. */
    private boolean isFresh(byte[] rrsig) {
        return Integer.compareUnsigned(Wire.u32(rrsig, EXPIRATION_AT), (int) freshUntil) > 0
                && Integer.compareUnsigned(Wire.u32(rrsig, INCEPTION_AT) + RrsetSigner.BACKDATED_SECONDS, (int) now)
                        <= 0;
    }
}
