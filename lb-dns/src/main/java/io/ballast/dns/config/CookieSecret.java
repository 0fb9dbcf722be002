package io.ballast.dns.config;

import io.ballast.core.Checks;
import java.util.HexFormat;

/**
 * The secret that authenticates server cookies (RFC 9018). Servers that share an address must use the same secret.
 *
 * @param hex the secret as 32 hexadecimal digits; never printed
 */
public record CookieSecret(String hex) {

    /** The length of the secret in bytes. */
    public static final int BYTES = 16;

    public CookieSecret {
        Checks.that(hex.matches("[0-9A-Fa-f]{32}"), "secret", hex.length() + " characters", "32 hexadecimal digits");
    }

    /** Returns the 16 bytes of the secret. */
    public byte[] bytes() {
        return HexFormat.of().parseHex(hex);
    }

    @Override
    public String toString() {
        return "CookieSecret[...]";
    }
}
