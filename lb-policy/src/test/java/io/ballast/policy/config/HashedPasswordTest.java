package io.ballast.policy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HashedPasswordTest {

    private static final String BCRYPT = "$2y$05$c4WoMPo3SXsafkva.HHa6uXQZWr7oboPiC2bT/r7q1BB8I2s0BRqC";
    private static final String ARGON2 =
            "$argon2id$v=19$m=256,t=2,p=2$c29tZXNhbHQ$bQk8UB/VmZZF4Oo79iDXuL5/0ttZwg2f/5U52iv1cDc";

    @ParameterizedTest
    @ValueSource(strings = {BCRYPT, ARGON2})
    void acceptsBcryptAndArgon2id(String text) {
        assertThat(new HashedPassword(text)).hasToString("HashedPassword[...]");
    }

    @ParameterizedTest
    @CsvSource({
        "{SHA}VBPuJHI7uixaa6LQGWx4s+5GKNE=, a SHA-1 hash",
        "$apr1$r31.....$HqJZimcKQFAMYayBlzkrA/, an MD5 hash",
        "$1$abcdefgh$irWbblnpmw.5z7wgBnprh0, an MD5 hash",
        "$6$saltsalt$qFmFH.bQmmtXzyBY0s9v7Oicd2z4XSIecDzlB5KiA2/jctKu9YterLp8wwnSq.qc, a SHA-2 crypt hash",
        "rqXexS6ZhobKA, a crypt hash or plain text",
        "letmein, plain text or an unknown hash",
        "$argon2i$v=19$m=256;t=2, 'an argon2 hash of another variant, version or size'",
        "$2y$31$c4WoMPo3SXsafkva.HHa6uXQZWr7oboPiC2bT/r7q1BB8I2s0BRqC, 'a bcrypt hash of another variant, cost or"
                + " length'",
    })
    void namesOtherSchemesWithoutTheHash(String text, String scheme) {
        assertThatThrownBy(() -> new HashedPassword(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("password: " + scheme + " (expected: " + HashedPassword.EXPECTED + ")");
    }

    @Test
    void boundsTheMemoryOfArgon2() {
        assertThatThrownBy(() -> new HashedPassword(ARGON2.replace("m=256", "m=999999")))
                .hasMessage("m of an argon2id hash: 999999 (expected: 8..131072)");
    }

    @Test
    void hashOfUnknownUsersHasTheSameParameters() {
        assertThat(new HashedPassword(BCRYPT).withoutPassword().text())
                .startsWith("$2y$05$")
                .hasSameSizeAs(BCRYPT)
                .isNotEqualTo(BCRYPT);
        assertThat(new HashedPassword(ARGON2).withoutPassword().text())
                .startsWith("$argon2id$v=19$m=256,t=2,p=2$")
                .hasSameSizeAs(ARGON2)
                .isNotEqualTo(ARGON2);
    }
}
