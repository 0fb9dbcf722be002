package io.ballast.dashboard.config;

import io.ballast.core.Checks;

/**
 * A bcrypt hash of a password in the modular crypt format. The number of rounds is 2 to the power of the
 * cost. At a cost of 12, checking a password takes about 200 ms.
 *
 * @param text such as {@code $2b$12$...}; never printed
 */
public record PasswordHash(String text) {

    public static final int MIN_COST = 8;
    public static final int MAX_COST = 15;

    /** The syntax of a bcrypt hash. */
    public static final String PATTERN = "\\$2[aby]\\$[0-9]{2}\\$[./A-Za-z0-9]{53}";

    public PasswordHash {
        Checks.that(
                text.matches(PATTERN),
                "password_hash",
                text.length() + " characters",
                "a bcrypt hash, as printed by 'lb password'");
        Checks.between(cost(text), MIN_COST, MAX_COST, "cost of password_hash");
    }

    /** The binary logarithm of the number of rounds. */
    public int cost() {
        return cost(text);
    }

    private static int cost(String text) {
        return Integer.parseInt(text.substring(4, 6));
    }

    @Override
    public String toString() {
        return "PasswordHash[...]";
    }
}
