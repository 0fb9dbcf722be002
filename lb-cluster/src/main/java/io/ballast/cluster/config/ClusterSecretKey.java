package io.ballast.cluster.config;

import io.ballast.core.Checks;
import java.util.HexFormat;

/**
 * The key that encrypts the secrets that nodes share. All nodes have the same key.
 *
 * @param hex {@value #DIGITS} hexadecimal digits; never printed
 */
public record ClusterSecretKey(String hex) {

    public static final int DIGITS = 64;

    public ClusterSecretKey {
        Checks.that(
                hex.matches("[0-9A-Fa-f]{" + DIGITS + "}"),
                "secret_key",
                hex.length() + " characters",
                DIGITS + " hexadecimal digits");
    }

    /** Returns the 32 bytes of the key. */
    public byte[] bytes() {
        return HexFormat.of().parseHex(hex);
    }

    @Override
    public String toString() {
        return "ClusterSecretKey[...]";
    }
}
