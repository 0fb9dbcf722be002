package io.ballast.dns.config;

import io.ballast.core.Checks;
import java.util.HexFormat;

/**
 * What a DNS server proves its own cookies by; servers that share an address share it.
 *
 * @param hex 32 hexadecimal digits; never printed
 */
public record CookieSecret(String hex) {

    /** Bytes that the digits stand for. */
    public static final int BYTES = 16;

    public CookieSecret {
        Checks.that(hex.matches("[0-9A-Fa-f]{32}"), "secret", hex.length() + " characters", "32 hexadecimal digits");
    }

    /** The 16 bytes of it. */
    public byte[] bytes() {
        return HexFormat.of().parseHex(hex);
    }

    @Override
    public String toString() {
        return "CookieSecret[...]";
    }
}
