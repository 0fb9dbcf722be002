package io.ballast.dns.dnssec;

import io.ballast.dns.dnssec.key.KeyAlgorithm;
import io.ballast.dns.dnssec.key.SigningKey;
import io.ballast.dns.wire.Wire;
import java.security.Signature;
import java.security.SignatureException;
import java.util.HashMap;
import java.util.Map;

/**
 * Signs record sets (<a href="https://datatracker.ietf.org/doc/html/rfc4034#section-3">RFC 4034 section
 * 3</a>).
 *
 * <p>Thread safety: confined to one thread. Cost: one signature, which takes tens to hundreds of microseconds
 * depending on provider and algorithm (SigningBenchmark).
 */
final class RrsetSigner {

    /** How far the inception time of a signature is backdated, so that validators with slow clocks accept it. */
    static final int BACKDATED_SECONDS = 3600;

    private static final int FIXED_BYTES = 18;
    private static final int MAX_KEYS = 64;

    private final SigningProvider provider;
    private final Map<SigningKey, Signature> signatures = new HashMap<>();

    RrsetSigner(SigningProvider provider) {
        this.provider = provider;
    }

    /**
     * Returns the RDATA of an RRSIG record.
     *
     * @param owner owner in lower case and wire format, in the first {@code length} bytes
     * @param now current time in seconds since 1970
     * @param expiration expiration time in seconds since 1970
     */
    byte[] sign(SignedZone zone, CanonicalRrset set, byte[] owner, int length, long now, long expiration) {
        SigningKey key = zone.signer();
        byte[] apex = zone.apex();
        byte[] data = new byte[FIXED_BYTES + apex.length + KeyAlgorithm.SIGNATURE_BYTES];
        Wire.putU16(data, 0, set.type());
        data[2] = (byte) key.algorithm().number();
        data[3] = (byte) labels(owner);
        Wire.putU32(data, 4, set.ttlSeconds());
        // The times have 32 bits in serial number arithmetic (RFC 4034 section 3.1.5), so they also work after 2106.
        Wire.putU32(data, 8, (int) expiration);
        Wire.putU32(data, 12, (int) (now - BACKDATED_SECONDS));
        Wire.putU16(data, 16, key.tag());
        System.arraycopy(apex, 0, data, FIXED_BYTES, apex.length);
        int signed = FIXED_BYTES + apex.length;
        try {
            Signature signature = signature(key);
            signature.update(data, 0, signed);
            set.feed(signature, owner, length);
            int bytes = signature.sign(data, signed, KeyAlgorithm.SIGNATURE_BYTES);
            if (bytes != KeyAlgorithm.SIGNATURE_BYTES) {
                throw new SignatureException(bytes + " bytes");
            }
            return data;
        } catch (SignatureException e) {
            signatures.remove(key);
            throw new IllegalStateException("cannot sign with " + key, e);
        }
    }

    private Signature signature(SigningKey key) {
        if (signatures.size() > MAX_KEYS) {
            // Keys change with rollovers. Entries of keys that are still in use are created again.
            signatures.clear();
        }
        return signatures.computeIfAbsent(key, provider::open);
    }

    /**
     * Returns the number of labels, not counting the root and a leading asterisk. Validators use it to detect a
     * wildcard expansion.
     */
    private static int labels(byte[] owner) {
        int count = 0;
        for (int at = 0; owner[at] != 0; at += 1 + owner[at]) {
            count++;
        }
        boolean wildcard = owner[0] == 1 && owner[1] == '*';
        return wildcard ? count - 1 : count;
    }
}
