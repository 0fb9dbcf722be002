package io.ballast.dns.dnssec;

import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.Wire;
import java.time.Clock;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Signs answers about names that are not known in advance: non-existent names, and names that a wildcard
 * matches. Signatures are cached for a limited time. Signing time is also limited, so that a flood of random
 * names cannot block the thread. When the budget is used up, nothing is signed and the answer is REFUSED.
 *
 * <p>Thread safety: confined to one answering thread. Cost: a cache lookup, or a signature, which allocates;
 * the cache has at most {@value #CACHE_ENTRIES} entries of at most 1,100 bytes.
 */
public final class OnDemandSigner {

    static final int CACHE_ENTRIES = 4096;

    /** The validity is divided by this number to get the maximum time for which a signature is cached. */
    private static final int CACHE_TIME_DIVISOR = 4;

    private static final long MAX_CACHE_SECONDS = 3600;

    /** The cache keys of proofs of non-existence. Record sets and bitmaps are the keys of all other entries. */
    private enum Missing {
        NAME,
        HASH
    }

    private final NameHash hash;
    private final RrsetSigner signer;
    private final Clock clock;
    private final SigningBudget budget;
    private final OnDemandCounters counters;
    private final SignatureCache cache = new SignatureCache(CACHE_ENTRIES);
    private final DenialBuilder denial = new DenialBuilder();
    private final byte[] name = new byte[Wire.MAX_NAME_BYTES + NameHash.READ_AHEAD];
    private int length;

    /**
     * @param perSecond maximum time spent on signing in each second
     * @param nanoTime monotonic clock like {@link System#nanoTime}
     */
    public OnDemandSigner(
            NameHash hash,
            SigningProvider provider,
            Clock clock,
            LongSupplier nanoTime,
            Duration perSecond,
            OnDemandCounters counters) {
        this.hash = hash;
        this.signer = new RrsetSigner(provider);
        this.clock = clock;
        this.budget = new SigningBudget(perSecond, nanoTime);
        this.counters = counters;
    }

    /**
     * Returns the RRSIG record of a wildcard's records, with the matched name as the owner.
     *
     * @return the RRSIG record; null if the signing budget is used up
     */
    public @Nullable SignedRecords signExpansion(SignedZone zone, QueryName queryName, CanonicalRrset set) {
        readName(queryName);
        return find(zone, set);
    }

    /**
     * Returns the proof that a name matched by a wildcard has exactly the types in the bitmap.
     *
     * @return two records; null if the signing budget is used up
     */
    public @Nullable SignedRecords proveTypes(SignedZone zone, QueryName queryName, TypeBitmap types) {
        readName(queryName);
        return find(zone, types);
    }

    /**
     * Returns the proof that a name does not exist, in a zone with NSEC.
     *
     * @return two records; null if the signing budget is used up
     */
    public @Nullable SignedRecords proveMissing(SignedZone zone, QueryName queryName) {
        readName(queryName);
        return find(zone, Missing.NAME);
    }

    /**
     * Returns the proof that the next closer name of the closest encloser does not exist, in a zone with NSEC3.
     *
     * @param encloserBytes wire length of the closest encloser
     * @return two records; null if the signing budget is used up
     */
    public @Nullable SignedRecords proveNoNextCloser(SignedZone zone, QueryName queryName, int encloserBytes) {
        readName(queryName);
        int start = 0;
        while (length - start - 1 - name[start] > encloserBytes) {
            start += 1 + name[start];
        }
        length -= start;
        System.arraycopy(name, start, name, 0, length);
        return find(zone, Missing.HASH);
    }

    /**
     * Returns the proof that no wildcard matches a name, in a zone with NSEC3.
     *
     * @param encloserBytes wire length of the closest encloser
     * @return two records; null if the signing budget is used up
     */
    public @Nullable SignedRecords proveNoWildcard(SignedZone zone, QueryName queryName, int encloserBytes) {
        readName(queryName);
        // The replaced label has at least two bytes, which is enough for the asterisk label.
        System.arraycopy(name, length - encloserBytes, name, 2, encloserBytes);
        name[0] = 1;
        name[1] = '*';
        length = encloserBytes + 2;
        return find(zone, Missing.HASH);
    }

    private void readName(QueryName queryName) {
        length = queryName.length();
        queryName.copy(length, name);
    }

    /** @param subject the signed subject, apart from the name: a record set, a bitmap, or a {@link Missing} value */
    private @Nullable SignedRecords find(SignedZone zone, Object subject) {
        long nameHash = hash.hashBelow(hash.root(), name, 0, length);
        long now = clock.millis() / 1000;
        SignedRecords known = cache.find(nameHash, name, length, subject, zone, now);
        if (known != null) {
            return known;
        }
        if (!budget.hasRemaining()) {
            counters.countRefused();
            return null;
        }
        SignedRecords records = sign(zone, subject, now);
        budget.deductElapsed();
        counters.countSigned();
        long keptFor = Math.min(zone.validitySeconds() / CACHE_TIME_DIVISOR, MAX_CACHE_SECONDS);
        cache.put(nameHash, name, length, subject, zone, now + keptFor, records);
        return records;
    }

    private SignedRecords sign(SignedZone zone, Object subject, long now) {
        if (subject instanceof CanonicalRrset set) {
            byte[] rrsig = signer.sign(zone, set, name, length, now, now + zone.validitySeconds());
            return SignedLayout.signature(rrsig, set.servedTtlSeconds());
        }
        DenialRecord proof = proof(zone, subject);
        byte[] owner = proof.owner();
        byte[] rrsig = signer.sign(zone, proof.set(), owner, owner.length, now, now + zone.validitySeconds());
        return SignedLayout.proof(proof, rrsig);
    }

    private DenialRecord proof(SignedZone zone, Object subject) {
        if (subject instanceof TypeBitmap types) {
            return denial.proveTypes(zone, name, length, types);
        }
        return subject == Missing.NAME
                ? denial.proveMissing(zone, name, length)
                : denial.proveMissingHash(zone, name, length);
    }
}
