package io.ballast.policy.config.oidc;

import io.ballast.core.Checks;
import java.nio.charset.StandardCharsets;

/**
 * A secret of the configuration: the client's secret at the provider, or the source of a key for cookies.
 *
 * @param text 1 to {@value #MAX_CHARACTERS} characters; never printed
 */
public record OidcSecret(String text) {

    public static final int MAX_CHARACTERS = 1024;

    public OidcSecret {
        Checks.that(
                !text.isEmpty() && text.length() <= MAX_CHARACTERS,
                "secret",
                text.length() + " characters",
                "1 to " + MAX_CHARACTERS + " characters");
    }

    /** Returns the bytes of the text in UTF-8. */
    public byte[] bytes() {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return "OidcSecret[...]";
    }
}
