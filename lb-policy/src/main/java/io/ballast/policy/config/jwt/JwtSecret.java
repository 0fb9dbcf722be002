package io.ballast.policy.config.jwt;

import io.ballast.core.Checks;
import java.nio.charset.StandardCharsets;

/**
 * The secret that an issuer of tokens shares with the balancer.
 *
 * @param text {@value #MIN_BYTES} to {@value #MAX_BYTES} bytes in UTF-8; never printed
 */
public record JwtSecret(String text) {

    public static final int MIN_BYTES = 32;
    public static final int MAX_BYTES = 1024;

    public JwtSecret {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        Checks.that(
                bytes >= MIN_BYTES && bytes <= MAX_BYTES,
                "secret",
                bytes + " bytes",
                MIN_BYTES + " to " + MAX_BYTES + " bytes");
    }

    /** Returns the key of the signatures. */
    public byte[] bytes() {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return "JwtSecret[...]";
    }
}
