package io.ballast.acme.config;

import io.ballast.core.Checks;
import java.util.Base64;

/**
 * The key of an external account binding.
 *
 * @param base64Url at least {@value #MIN_BYTES} bytes in base64url (RFC 4648 section 5) without padding; never printed
 */
public record HmacKey(String base64Url) {

    /** Minimum length of a key; a shorter key would be too easy to guess. */
    public static final int MIN_BYTES = 16;

    public HmacKey {
        Checks.that(
                decodedLength(base64Url) >= MIN_BYTES,
                "hmac",
                base64Url.length() + " characters",
                "base64url of at least " + MIN_BYTES + " bytes");
    }

    private static int decodedLength(String base64Url) {
        try {
            return Base64.getUrlDecoder().decode(base64Url).length;
        } catch (IllegalArgumentException e) {
            return -1; // the exception is dropped because its message shows a part of the secret
        }
    }

    @Override
    public String toString() {
        return "HmacKey[...]";
    }
}
