package io.ballast.dns.dnssec;

import io.ballast.dns.config.zone.DnssecConfig;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Signs the compiled records of one zone, and caches the signatures. Unchanged records keep their signature
 * until less than a quarter of its validity is left. To renew its signatures, a zone is therefore compiled
 * again every {@link #renewalInterval}.
 *
 * <p>Thread safety: confined to one thread. Cost: a signature for new records, a digest for known records;
 * caches at most {@value #MAX_STORED_SIGNATURES} signatures (LRU).
 */
public final class ZoneSigner {

    /** How far the inception time of signatures is backdated. */
    public static final Duration BACKDATED = Duration.ofSeconds(RrsetSigner.BACKDATED_SECONDS);

    static final int MAX_STORED_SIGNATURES = 200_000;

    private static final int INTERVALS_IN_VALIDITY = 32;
    private static final Duration LONGEST_INTERVAL = Duration.ofHours(1);

    /**
     * Divides the validity to get the maximum jitter. A random time up to this maximum is subtracted from the
     * validity, so that signatures expire at different times.
     */
    private static final int JITTER_PART = 10;

    @SuppressWarnings("ArrayRecordComponent") // instances are never compared
    private record CachedSignature(byte[] rrsig, long expiration, long signed) {}

    private final SignedZone zone;
    private final SigningProvider provider;
    private final RrsetSigner signer;
    private final Clock clock;
    private final RandomGenerator random;
    private final DenialBuilder denial = new DenialBuilder();
    private final MessageDigest sha256;
    private final Map<ByteBuffer, CachedSignature> storedSignatures =
            new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<ByteBuffer, CachedSignature> eldest) {
                    return size() > MAX_STORED_SIGNATURES;
                }
            };
    private long signatureCount;

    /** @param random source of the expiration jitter */
    public ZoneSigner(SignedZone zone, SigningProvider provider, Clock clock, RandomGenerator random) {
        this.zone = zone;
        this.provider = provider;
        this.signer = new RrsetSigner(provider);
        this.clock = clock;
        this.random = random;
        try {
            this.sha256 = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime does not provide SHA-256", e);
        }
    }

    /** The signed zone. */
    public SignedZone zone() {
        return zone;
    }

    /**
     * Returns the interval at which the zone must be compiled again, so that no signature gets close to its
     * expiration.
     */
    public Duration renewalInterval() {
        return renewalInterval(Duration.ofSeconds(zone.validitySeconds()));
    }

    /** Returns the interval at which a zone with this signature validity must be compiled again. */
    public static Duration renewalInterval(Duration validity) {
        Duration part = validity.dividedBy(INTERVALS_IN_VALIDITY);
        return part.compareTo(LONGEST_INTERVAL) < 0 ? part : LONGEST_INTERVAL;
    }

    /**
     * Returns the RRSIG record of a record set.
     *
     * @param owner owner in lower case and wire format; for a wildcard, the wildcard name itself
     */
    public SignedRecords signature(byte[] owner, CanonicalRrset set) {
        return SignedLayout.signature(rrsig(owner, set), set.servedTtlSeconds());
    }

    /**
     * Returns the signer for one owner, in lower case and wire format. For a wildcard, the signer defers signing
     * to query time.
     */
    public SetSigner signerFor(byte[] owner) {
        return isWildcard(owner) ? SetSigner.ON_DEMAND : set -> new SignedRrset(set, signature(owner, set));
    }

    /**
     * Returns the NSEC or NSEC3 proof that lists the record types of the name. For a wildcard, the proof is made when a
     * query matches it.
     */
    public NameProof proof(byte[] name, int... types) {
        TypeBitmap bitmap = zone.bitmap(types);
        return new NameProof(bitmap, isWildcard(name) ? null : proveTypes(name, bitmap));
    }

    private static boolean isWildcard(byte[] name) {
        return name[0] == 1 && name[1] == '*';
    }

    /** Returns the signed proof that an existing name has exactly the types in the bitmap. */
    public SignedRecords proveTypes(byte[] name, TypeBitmap types) {
        DenialRecord proof = denial.proveTypes(zone, name, name.length, types);
        return SignedLayout.proof(proof, rrsig(proof.owner(), proof.set()));
    }

    /**
     * Returns a stateless signer of this zone for use on another thread. The caller passes existing signatures.
     * The signer must be used immediately, because its freshness limit is computed by this call.
     */
    public RenewingSigner newRenewingSigner() {
        long now = clock.instant().getEpochSecond();
        return new RenewingSigner(zone, new RrsetSigner(provider), now, now + neededSeconds(), random.nextLong());
    }

    /** The number of signatures computed so far. */
    public long signatureCount() {
        return signatureCount;
    }

    private byte[] rrsig(byte[] owner, CanonicalRrset set) {
        ByteBuffer key = key(owner, set);
        long now = clock.instant().getEpochSecond();
        CachedSignature known = storedSignatures.get(key);
        if (known != null && isFresh(known, now)) {
            return known.rrsig();
        }
        long expiration = expiration(zone, now, random);
        byte[] rrsig = signer.sign(zone, set, owner, owner.length, now, expiration);
        storedSignatures.put(key, new CachedSignature(rrsig, expiration, now));
        signatureCount++;
        return rrsig;
    }

    /**
     * Returns whether the signature is valid until the next renewal plus the maximum caching time of a record,
     * and the clock was not set back.
     */
    private boolean isFresh(CachedSignature known, long now) {
        return known.expiration() - now > neededSeconds() && known.signed() <= now;
    }

    private long neededSeconds() {
        return zone.validitySeconds() / DnssecConfig.MIN_TTLS_PER_VALIDITY
                + renewalInterval().toSeconds()
                + 1;
    }

    /** Returns the expiration time of a signature that is made at {@code now}. */
    static long expiration(SignedZone zone, long now, RandomGenerator random) {
        long validity = zone.validitySeconds();
        return now + validity - random.nextLong(Math.max(1, validity / JITTER_PART));
    }

    private ByteBuffer key(byte[] owner, CanonicalRrset set) {
        sha256.update(owner);
        for (byte[] record : set.canonicalForm()) {
            sha256.update(record);
        }
        return ByteBuffer.wrap(sha256.digest());
    }
}
