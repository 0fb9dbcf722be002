package io.ballast.policy.oidc.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.policy.config.oidc.OidcSecret;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CookieCipherTest {

    private static final OidcSecret OLD = new OidcSecret("the old secret has 32 characters");
    private static final OidcSecret NEW = new OidcSecret("the new secret has 32 characters");
    private static final byte[] PURPOSE = bytes("session");

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static CookieCipher cipher(OidcSecret... secrets) {
        return new CookieCipher(List.of(secrets), new SecureRandom());
    }

    private static @Nullable String decrypt(CookieCipher cipher, String text, byte[] purpose) {
        byte[] bytes = bytes("a=" + text + ";");
        byte[] plain = cipher.decrypt(bytes, 2, bytes.length - 1, purpose);
        return plain == null ? null : new String(plain, StandardCharsets.UTF_8);
    }

    @Test
    void eachTextIsDifferentAndContainsNothingReadable() {
        Set<String> texts = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            String text = cipher(OLD).encrypt(bytes("ann"), PURPOSE);
            assertThat(text).matches("[A-Za-z0-9_-]{47}");
            assertThat(decrypt(cipher(OLD), text, PURPOSE)).isEqualTo("ann");
            texts.add(text.substring(6));
        }
        assertThat(texts).hasSize(1000);
    }

    @Test
    void firstSecretEncryptsAndAllDecrypt() {
        String old = cipher(OLD).encrypt(bytes("ann"), PURPOSE);
        String rotated = cipher(NEW, OLD).encrypt(bytes("ann"), PURPOSE);

        assertThat(decrypt(cipher(NEW, OLD), old, PURPOSE)).isEqualTo("ann");
        assertThat(decrypt(cipher(NEW), rotated, PURPOSE)).isEqualTo("ann");
        assertThat(decrypt(cipher(OLD), rotated, PURPOSE)).isNull();
    }

    @Test
    void otherPurposeIsRefused() {
        String text = cipher(OLD).encrypt(bytes("ann"), PURPOSE);

        assertThat(decrypt(cipher(OLD), text, bytes("login"))).isNull();
        assertThat(decrypt(cipher(OLD), text, new byte[0])).isNull();
    }

    @Test
    void everyChangedCharacterIsRefused() {
        String text = cipher(OLD).encrypt(bytes("ann"), PURPOSE);
        for (int i = 0; i < text.length(); i++) {
            char other = text.charAt(i) == 'x' ? 'y' : 'x';
            assertThat(decrypt(cipher(OLD), text.substring(0, i) + other + text.substring(i + 1), PURPOSE))
                    .isNull();
            assertThat(decrypt(cipher(OLD), text.substring(0, i), PURPOSE)).isNull();
        }
    }
}
