package io.ballast.dashboard.config;

import io.ballast.core.Checks;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The SHA-256 of a bearer token. Tokens are random, so a slow hash is not needed.
 *
 * @param hex 64 hexadecimal digits; never printed
 */
public record TokenHash(String hex) {

    /** The syntax of a SHA-256 hash in hexadecimal digits. */
    public static final String PATTERN = "[0-9A-Fa-f]{64}";

    public TokenHash {
        Checks.that(hex.matches(PATTERN), "token_hash", hex.length() + " characters", "64 hexadecimal digits");
        hex = hex.toLowerCase(Locale.ROOT);
    }

    /** Returns the hash as 32 bytes. */
    public byte[] bytes() {
        return HexFormat.of().parseHex(hex);
    }

    @Override
    public String toString() {
        return "TokenHash[...]";
    }
}
