package io.ballast.dns.config;

import io.ballast.core.Checks;
import java.util.Base64;

/**
 * The shared secret of a TSIG key.
 *
 * @param base64 {@value #MIN_BYTES} to {@value #MAX_BYTES} bytes in base64, in the notation of tsig-keygen and keymgr;
 *     never printed
 */
public record TsigSecret(String base64) {

    /**
     * Minimum length: half of the shortest signature. RFC 8945 section 8 requires the full length of the
     * signature, but many existing keys are shorter.
     */
    public static final int MIN_BYTES = 16;

    public static final int MAX_BYTES = 512;

    public TsigSecret {
        int bytes = decodedLength(base64);
        Checks.that(
                bytes >= MIN_BYTES && bytes <= MAX_BYTES,
                "secret",
                base64.length() + " characters",
                "Base64 of " + MIN_BYTES + " to " + MAX_BYTES + " bytes");
    }

    private static int decodedLength(String base64) {
        try {
            return Base64.getDecoder().decode(base64).length;
        } catch (IllegalArgumentException e) {
            return -1; // The caller's exception has no cause, because the cause would reveal the secret.
        }
    }

    /** Returns the decoded secret. */
    public byte[] bytes() {
        return Base64.getDecoder().decode(base64);
    }

    @Override
    public String toString() {
        return "TsigSecret[...]";
    }
}
