package io.ballast.policy.config;

import io.ballast.core.Checks;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The hash of a password: bcrypt in the modular crypt format, or argon2id in the PHC format. Immutable.
 *
 * @param text such as {@code $2y$10$...} or {@code $argon2id$v=19$m=19456,t=2,p=1$...}; never printed
 */
public record HashedPassword(String text) {

    /** The accepted schemes and how to create a hash, for messages. */
    public static final String EXPECTED =
            "a bcrypt hash of cost 4 to 16 or an argon2id hash; 'lb password' and 'htpasswd -nBC 10 NAME' print one";

    /** The syntax of an accepted hash. */
    public static final String PATTERN = "\\$2[aby]\\$(0[4-9]|1[0-6])\\$[./A-Za-z0-9]{53}"
            + "|\\$argon2id\\$v=19\\$m=[0-9]{1,6},t=[0-9]{1,2},p=[0-9]{1,2}\\$[A-Za-z0-9+/]{11,86}\\$[A-Za-z0-9+/]{22,86}";

    /**
     * The maximum memory setting of an argon2id hash, in KiB. It is limited because a verification needs twice as much
     * memory.
     */
    public static final int MAX_MEMORY_KIB = 131_072;

    private static final int MAX_ITERATIONS = 20;
    private static final int MAX_LANES = 16;
    private static final int BCRYPT_PREFIX = "$2y$10$".length();
    private static final int BCRYPT_REST = 53;
    private static final Pattern ARGON2 =
            Pattern.compile("(\\$argon2id\\$v=19\\$m=([0-9]+),t=([0-9]+),p=([0-9]+)\\$)([^$]+)\\$([^$]+)");
    private static final Pattern CRYPT = Pattern.compile("[./0-9A-Za-z]{13}");

    public HashedPassword {
        Checks.that(text.matches(PATTERN), "password", scheme(text), EXPECTED);
        Matcher parts = ARGON2.matcher(text);
        if (parts.matches()) {
            Checks.between(Integer.parseInt(parts.group(2)), 8, MAX_MEMORY_KIB, "m of an argon2id hash");
            Checks.between(Integer.parseInt(parts.group(3)), 1, MAX_ITERATIONS, "t of an argon2id hash");
            Checks.between(Integer.parseInt(parts.group(4)), 1, MAX_LANES, "p of an argon2id hash");
            Checks.that(isBase64(parts.group(5)) && isBase64(parts.group(6)), "password", "invalid Base64", EXPECTED);
        }
    }

    public boolean isBcrypt() {
        return text.startsWith("$2");
    }

    /** Returns a hash that takes as long to verify as this one, and matches no known password. */
    public HashedPassword withoutPassword() {
        Matcher parts = ARGON2.matcher(text);
        if (!parts.matches()) {
            return new HashedPassword(text.substring(0, BCRYPT_PREFIX) + ".".repeat(BCRYPT_REST));
        }
        return new HashedPassword(parts.group(1) + zeros(parts.group(5)) + "$" + zeros(parts.group(6)));
    }

    private static String zeros(String base64) {
        return "A".repeat(base64.length());
    }

    /** Whether a text is the canonical Base64 of some bytes, without padding. */
    private static boolean isBase64(String text) {
        try {
            byte[] bytes = Base64.getDecoder().decode(text);
            return Base64.getEncoder().withoutPadding().encodeToString(bytes).equals(text);
        } catch (IllegalArgumentException e) {
            // This exception must not become the cause of the caller's exception: its message would reveal the hash.
            return false;
        }
    }

    /** Describes a text that is not accepted, without showing it. */
    private static String scheme(String text) {
        if (text.startsWith("{SHA}") || text.startsWith("{SSHA}")) {
            return "a SHA-1 hash";
        }
        if (text.startsWith("$apr1$") || text.startsWith("$1$")) {
            return "an MD5 hash";
        }
        if (text.startsWith("$5$") || text.startsWith("$6$")) {
            return "a SHA-2 crypt hash";
        }
        if (text.startsWith("$argon2")) {
            return "an argon2 hash of another variant, version or size";
        }
        if (text.startsWith("$2")) {
            return "a bcrypt hash of another variant, cost or length";
        }
        return CRYPT.matcher(text).matches() ? "a crypt hash or plain text" : "plain text or an unknown hash";
    }

    @Override
    public String toString() {
        return "HashedPassword[...]";
    }
}
