package io.ballast.cluster.secret;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.cluster.config.ClusterSecretKey;
import java.security.SecureRandom;
import java.util.Base64;
import org.junit.jupiter.api.Test;

class SecretCipherTest {

    private static final SecretCipher CIPHER = cipher("ab");

    private static SecretCipher cipher(String byteOfKey) {
        return new SecretCipher(new ClusterSecretKey(byteOfKey.repeat(32)), new SecureRandom());
    }

    @Test
    void aTextIsDecryptedWithTheSameKeyAndName() {
        String encrypted = CIPHER.encrypt("a", "text");
        assertThat(encrypted).isNotEqualTo(CIPHER.encrypt("a", "text"));
        assertThat(cipher("AB").decrypt("a", encrypted)).contains("text");
        assertThat(CIPHER.decrypt("b", encrypted)).isEmpty();
        assertThat(cipher("ac").decrypt("a", encrypted)).isEmpty();
    }

    @Test
    void aChangedTextIsRefused() {
        byte[] bytes = Base64.getDecoder().decode(CIPHER.encrypt("a", "text"));
        for (int i = 0; i < bytes.length; i++) {
            byte[] changed = bytes.clone();
            changed[i] ^= 1;
            assertThat(CIPHER.decrypt("a", Base64.getEncoder().encodeToString(changed)))
                    .isEmpty();
        }
        assertThat(CIPHER.decrypt("a", "")).isEmpty();
        assertThat(CIPHER.decrypt("a", "no base64!")).isEmpty();
    }
}
