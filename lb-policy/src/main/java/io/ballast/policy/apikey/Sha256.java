package io.ballast.policy.apikey;

import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Computes SHA-256 without allocation. Confined to one thread. */
final class Sha256 {

    private static final int BYTES = 32;
    private static final ThreadLocal<Sha256> OF_THREAD = ThreadLocal.withInitial(Sha256::new);

    private final MessageDigest digest;
    private final byte[] result = new byte[BYTES];

    private Sha256() {
        try {
            this.digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime does not provide SHA-256", e);
        }
    }

    /** Returns the hash of {@code bytes[from, to)}, valid until the thread's next call. */
    static byte[] of(byte[] bytes, int from, int to) {
        Sha256 own = OF_THREAD.get();
        try {
            own.digest.update(bytes, from, to - from);
            own.digest.digest(own.result, 0, BYTES);
            return own.result;
        } catch (DigestException e) {
            throw new IllegalStateException("SHA-256 does not have " + BYTES + " bytes", e);
        }
    }
}
