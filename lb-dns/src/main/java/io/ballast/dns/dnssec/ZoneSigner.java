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
 * Signs what is compiled for one zone, and keeps the signatures: records that come back as they were get the one they
 * had, until less than a quarter of its time is left. So a zone is renewed by compiling it again, every {@link
 * #renewalInterval}.
 *
 * <p>Thread safety: confined to one thread. Cost: a signature for new records, a digest for known ones; keeps at
 * most {@value #MOST_KEPT} signatures, the ones used last.
 */
public final class ZoneSigner {

    /** How long before they are made signatures begin. */
    public static final Duration BACKDATED = Duration.ofSeconds(RrsetSigner.BACKDATED_SECONDS);

    static final int MOST_KEPT = 200_000;

    private static final int INTERVALS_IN_VALIDITY = 32;
    private static final Duration LONGEST_INTERVAL = Duration.ofHours(1);

    /** Up to a tenth of the time is taken off by chance, so that not all signatures end at once. */
    private static final int JITTER_PART = 10;

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Kept(byte[] rrsig, long expiration, long signed) {}

    private final SignedZone zone;
    private final SigningProvider provider;
    private final RrsetSigner signer;
    private final Clock clock;
    private final RandomGenerator random;
    private final Denial denial = new Denial();
    private final MessageDigest sha256;
    private final Map<ByteBuffer, Kept> kept = new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteBuffer, Kept> eldest) {
            return size() > MOST_KEPT;
        }
    };
    private long made;

    /** @param random spreads the ends of signatures */
    public ZoneSigner(SignedZone zone, SigningProvider provider, Clock clock, RandomGenerator random) {
        this.zone = zone;
        this.provider = provider;
        this.signer = new RrsetSigner(provider);
        this.clock = clock;
        this.random = random;
        try {
            this.sha256 = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** What it signs for. */
    public SignedZone zone() {
        return zone;
    }

    /** How often to compile the zone again, so that no signature comes near its end. */
    public Duration renewalInterval() {
        return renewalInterval(Duration.ofSeconds(zone.validitySeconds()));
    }

    /** How often to compile a zone again whose signatures hold for so long. */
    public static Duration renewalInterval(Duration validity) {
        Duration part = validity.dividedBy(INTERVALS_IN_VALIDITY);
        return part.compareTo(LONGEST_INTERVAL) < 0 ? part : LONGEST_INTERVAL;
    }

    /**
     * The RRSIG record of a set.
     *
     * @param owner in lower case and wire format; a wildcard's own name for a wildcard
     */
    public SignedRecords signature(byte[] owner, CanonicalRrset set) {
        return SignedLayout.signature(rrsig(owner, set), set.servedTtlSeconds());
    }

    /** Signs for one owner, in lower case and wire format; for a wildcard when a name is asked. */
    public SetSigner of(byte[] owner) {
        return isWildcard(owner) ? SetSigner.ON_DEMAND : set -> new SignedSet(set, signature(owner, set));
    }

    /** The proof of the types of a name; for a wildcard made when a name is asked. */
    public NameProof proof(byte[] name, int... types) {
        TypeBitmap bitmap = zone.bitmap(types);
        return new NameProof(bitmap, isWildcard(name) ? null : typesOf(name, bitmap));
    }

    private static boolean isWildcard(byte[] name) {
        return name[0] == 1 && name[1] == '*';
    }

    /** The signed proof that a name that exists has the types of the bitmap and no others; the same for all other types. */
    public SignedRecords typesOf(byte[] name, TypeBitmap types) {
        Proof proof = denial.types(zone, name, name.length, types);
        return SignedLayout.proof(proof, rrsig(proof.owner(), proof.set()));
    }

    /**
     * Another signer for the same zone, for a thread of its own, which keeps no signatures: it is told those that there
     * are. For now: what it takes for fresh is so at present.
     */
    public RenewingSigner renewing() {
        long now = clock.instant().getEpochSecond();
        return new RenewingSigner(zone, new RrsetSigner(provider), now, now + neededSeconds(), random.nextLong());
    }

    /** How many signatures were computed so far. */
    public long made() {
        return made;
    }

    private byte[] rrsig(byte[] owner, CanonicalRrset set) {
        ByteBuffer key = key(owner, set);
        long now = clock.instant().getEpochSecond();
        Kept known = kept.get(key);
        if (known != null && isFresh(known, now)) {
            return known.rrsig();
        }
        long expiration = expiration(zone, now, random);
        byte[] rrsig = signer.sign(zone, set, owner, owner.length, now, expiration);
        kept.put(key, new Kept(rrsig, expiration, now));
        made++;
        return rrsig;
    }

    /** Until it is looked at again, more time is left than any cache keeps a record; and the clock was not set back. */
    private boolean isFresh(Kept known, long now) {
        return known.expiration() - now > neededSeconds() && known.signed() <= now;
    }

    private long neededSeconds() {
        return zone.validitySeconds() / DnssecConfig.TTLS_IN_VALIDITY
                + renewalInterval().toSeconds()
                + 1;
    }

    /** When a signature ends that is made now. */
    static long expiration(SignedZone zone, long now, RandomGenerator random) {
        long validity = zone.validitySeconds();
        return now + validity - random.nextLong(Math.max(1, validity / JITTER_PART));
    }

    private ByteBuffer key(byte[] owner, CanonicalRrset set) {
        sha256.update(owner);
        for (byte[] record : set.behindOwner()) {
            sha256.update(record);
        }
        return ByteBuffer.wrap(sha256.digest());
    }
}
