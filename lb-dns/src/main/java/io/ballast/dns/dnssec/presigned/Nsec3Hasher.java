package io.ballast.dns.dnssec.presigned;

import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Hashes names for NSEC3. Thread safety: confined to one thread. Cost: one SHA-1 computation, and one more
 * for each of at most {@value Nsec3Parameters#MAX_ITERATIONS} iterations; allocates nothing.
 */
final class Nsec3Hasher {

    static final int BYTES = 20;

    private final MessageDigest sha1;

    Nsec3Hasher() {
        try {
            this.sha1 = MessageDigest.getInstance("SHA-1");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime does not provide SHA-1", e);
        }
    }

    /** Writes the hash of a name, in lower case and wire format, to the beginning of {@code hash}. */
    void hash(Nsec3Parameters parameters, byte[] name, int start, int length, byte[] hash) {
        try {
            sha1.update(name, start, length);
            sha1.update(parameters.salt());
            sha1.digest(hash, 0, BYTES);
            for (int i = 0; i < parameters.iterations(); i++) {
                sha1.update(hash, 0, BYTES);
                sha1.update(parameters.salt());
                sha1.digest(hash, 0, BYTES);
            }
        } catch (DigestException e) {
            throw new IllegalStateException("no room for the hash", e);
        }
    }
}
