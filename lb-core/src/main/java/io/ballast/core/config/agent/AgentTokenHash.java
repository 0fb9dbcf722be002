package io.ballast.core.config.agent;

import io.ballast.core.Checks;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The SHA-256 of an agent token. Tokens are random, so a slow hash is not needed.
 *
 * @param hex 64 hexadecimal digits; never printed
 */
public record AgentTokenHash(String hex) {

    /** The prefix of a hash in configuration files. */
    public static final String PREFIX = "sha256:";

    /** The syntax of a hash in configuration files. */
    public static final String PATTERN = PREFIX + "[0-9A-Fa-f]{64}";

    public AgentTokenHash {
        Checks.that(hex.matches("[0-9A-Fa-f]{64}"), "hash", hex.length() + " characters", "64 hexadecimal digits");
        hex = hex.toLowerCase(Locale.ROOT);
    }

    /** Parses the notation of configuration files. */
    public static AgentTokenHash parse(String text) {
        Checks.that(text.startsWith(PREFIX), "hash", text.length() + " characters", PREFIX + " and 64 digits");
        return new AgentTokenHash(text.substring(PREFIX.length()));
    }

    /** Returns the notation of configuration files. */
    public String text() {
        return PREFIX + hex;
    }

    /** Returns the hash as 32 bytes. */
    public byte[] bytes() {
        return HexFormat.of().parseHex(hex);
    }

    @Override
    public String toString() {
        return "AgentTokenHash[...]";
    }
}
