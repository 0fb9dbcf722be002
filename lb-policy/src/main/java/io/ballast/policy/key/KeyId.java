package io.ballast.policy.key;

import java.util.HexFormat;

/**
 * The identifiers of keys that people see: the upper 32 bits of their hashes. Two keys of 100,000 rarely have the same
 * identifier, and a value cannot be computed from it. Stateless.
 */
public final class KeyId {

    private KeyId() {}

    /** Returns the identifier of a hash. */
    public static int of(long hash) {
        return (int) (hash >>> Integer.SIZE);
    }

    /** Returns the form that people see, such as {@code #0badcafe}. */
    public static String text(int id) {
        return "#" + HexFormat.of().toHexDigits(id);
    }
}
