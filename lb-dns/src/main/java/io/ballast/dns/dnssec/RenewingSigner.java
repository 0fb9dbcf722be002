package io.ballast.dns.dnssec;

import io.ballast.dns.wire.Wire;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Signs names of a zone that are stored in compact form ({@code StoredNames}). Such a zone can have millions
 * of names, so this class is stateless: the caller passes the existing signature of a record set. A new
 * signature is made if there is none, or if its remaining validity is too short. Must not be used for
 * wildcards.
 *
 * <p>Thread safety: confined to one thread; several instances may sign the same zone at the same time.
 */
public final class RenewingSigner {

    private static final int EXPIRATION_AT = 8;
    private static final int INCEPTION_AT = 12;

    private final SignedZone zone;
    private final RrsetSigner signer;
    private final long now;
    private final long freshUntil;
    private final SplittableRandom random;
    private final DenialBuilder denial = new DenialBuilder();

    /**
     * @param now current time in seconds since 1970
     * @param freshUntil signatures that expire after this time are kept
     * @param seed seed of the expiration jitter
     */
    RenewingSigner(SignedZone zone, RrsetSigner signer, long now, long freshUntil, long seed) {
        this.zone = zone;
        this.signer = signer;
        this.now = now;
        this.freshUntil = freshUntil;
        this.random = new SplittableRandom(seed);
    }

    /**
     * Returns the RRSIG record of a set.
     *
     * @param owner owner in lower case and wire format
     * @param known RDATA of the existing RRSIG record; null if there is none
     */
    public SignedRecords signature(byte[] owner, CanonicalRrset set, byte @Nullable [] known) {
        return SignedLayout.signature(rrsig(owner, set, known), set.servedTtlSeconds());
    }

    /**
     * Returns the signed proof that a name has exactly these types.
     *
     * @param known RDATA of the existing RRSIG record; null if there is none
     */
    public NameProof proof(byte[] name, byte @Nullable [] known, int... types) {
        DenialRecord proof = denial.proveTypes(zone, name, name.length, zone.bitmap(types));
        return NameProof.of(SignedLayout.proof(proof, rrsig(proof.owner(), proof.set(), known)));
    }

    private byte[] rrsig(byte[] owner, CanonicalRrset set, byte @Nullable [] known) {
        if (known != null && isFresh(known)) {
            return known;
        }
        return signer.sign(zone, set, owner, owner.length, now, ZoneSigner.expiration(zone, now, random));
    }

    /** Returns whether the signature is valid until the next renewal, and the clock was not set back. */
    private boolean isFresh(byte[] rrsig) {
        return Integer.compareUnsigned(Wire.u32(rrsig, EXPIRATION_AT), (int) freshUntil) > 0
                && Integer.compareUnsigned(Wire.u32(rrsig, INCEPTION_AT) + RrsetSigner.BACKDATED_SECONDS, (int) now)
                        <= 0;
    }
}
