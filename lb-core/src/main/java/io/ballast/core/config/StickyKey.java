package io.ballast.core.config;

import io.ballast.core.Checks;
import java.util.HexFormat;

/**
 * The key that signs the tokens of sticky sessions; balancers that serve the same clients share it.
 *
 * @param hex {@value #DIGITS} hexadecimal digits; never printed
 */
public record StickyKey(String hex) {

    public static final int DIGITS = 64;

    public StickyKey {
        Checks.that(
                hex.matches("[0-9A-Fa-f]{" + DIGITS + "}"),
                "key",
                hex.length() + " characters",
                DIGITS + " hexadecimal digits");
    }

    /** Creates a key from 32 bytes. */
    public static StickyKey of(byte[] bytes) {
        return new StickyKey(HexFormat.of().formatHex(bytes));
    }

    /** Returns the 32 bytes of the key. */
    public byte[] bytes() {
        return HexFormat.of().parseHex(hex);
    }

    @Override
    public String toString() {
        return "StickyKey[...]";
    }
}
