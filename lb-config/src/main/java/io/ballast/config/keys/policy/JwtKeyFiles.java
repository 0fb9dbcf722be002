package io.ballast.config.keys.policy;

import io.ballast.config.key.Key;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.TextFile;
import io.ballast.core.ErrorText;
import io.ballast.policy.config.jwt.JwtSecret;
import io.ballast.policy.jwt.key.KeySet;
import java.nio.file.Path;

/** Reads the keys that verify JSON Web Tokens from files, and reports unusable keys. */
final class JwtKeyFiles {

    private static final int MAX_BYTES = 1 << 20;

    /** Placeholder for a secret that cannot be read, so that the rest of the configuration is still checked. */
    private static final JwtSecret UNREADABLE = new JwtSecret("*".repeat(JwtSecret.MAX_BYTES));

    private JwtKeyFiles() {}

    /** Returns the text of a JWK set; empty after reporting a problem. */
    static String keySet(Values values, Key<Path> key) {
        return read(values, key, MAX_BYTES);
    }

    /** Reports a text that is not a JWK set, unless it is empty because it could not be read. */
    static void check(Values values, Key<?> key, String text) {
        if (text.isEmpty() && values.reading().hasErrors()) {
            return;
        }
        try {
            KeySet unused = KeySet.parse(text);
        } catch (IllegalArgumentException e) {
            values.reading().error(values.node(key), ErrorText.of(e));
        }
    }

    /** Returns the secret in a file, without a final line end. */
    static JwtSecret secret(Values values, Key<Path> key) {
        String text = read(values, key, JwtSecret.MAX_BYTES + 2).replaceFirst("\r?\n$", "");
        if (text.isEmpty() && values.reading().hasErrors()) {
            return UNREADABLE;
        }
        try {
            return new JwtSecret(text);
        } catch (IllegalArgumentException e) {
            values.reading().error(values.node(key), values.get(key) + ": " + ErrorText.of(e));
            return UNREADABLE;
        }
    }

    private static String read(Values values, Key<Path> key, int maxBytes) {
        return TextFile.read(values.get(key), maxBytes, values.node(key), values.reading())
                .orElse("");
    }
}
