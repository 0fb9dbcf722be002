package io.ballast.policy.basic;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.policy.config.HashedPassword;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Verifies published hashes: from Apache's documentation of htpasswd, from Openwall's test of crypt_blowfish, and from
 * the test of the reference implementation of argon2.
 */
class PasswordVerifierTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "myPassword $2y$05$c4WoMPo3SXsafkva.HHa6uXQZWr7oboPiC2bT/r7q1BB8I2s0BRqC",
                "U*U $2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
                "password $argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
                "password $argon2id$v=19$m=256,t=2,p=2$c29tZXNhbHQ$bQk8UB/VmZZF4Oo79iDXuL5/0ttZwg2f/5U52iv1cDc",
            })
    void verifiesPublishedHashes(String password, String hash) {
        assertThat(verify(hash, password)).isTrue();
        assertThat(verify(hash, password + "x")).isFalse();
        assertThat(verify(hash, "")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2a", "2b", "2y"})
    void versionsOfBcryptAreTheSame(String version) {
        // crypt() of libxcrypt
        String hash = "$2a$05$abcdefghijklmnopqrstuucZGbUxuMlEqps0qcu2pjhO7vaatQZIC".replace("2a", version);

        assertThat(verify(hash, "p\u00e4ssword")).isTrue();
        assertThat(verify(hash, "password")).isFalse();
    }

    @Test
    void hashWithoutPasswordCanBeVerified() {
        HashedPassword bcrypt = new HashedPassword("$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW");
        HashedPassword argon2 = new HashedPassword(
                "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4");

        assertThat(verify(bcrypt.withoutPassword().text(), "U*U")).isFalse();
        assertThat(verify(argon2.withoutPassword().text(), "password")).isFalse();
    }

    private static boolean verify(String hash, String password) {
        return PasswordVerifier.LIBRARY.verify(new HashedPassword(hash), password.getBytes(StandardCharsets.UTF_8));
    }
}
