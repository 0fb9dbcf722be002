package io.ballast.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegexCharactersTest {

    @ParameterizedTest
    @ValueSource(
            strings = {"", "^ads[0-9]+\\.", "caf\u00e9", "[\\x00-\\x{ff}]", "\\x{0000fF}", "\\x{}", "[[:^alpha:]]"})
    void acceptsBytes(String expression) {
        assertThat(RegexCharacters.areBytes(expression)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u1c80", "[a-\u1cff]", "[a-\\x{1c88}]", "\\x{100}", "\\x{00000000100}", "\ud801\udc00"})
    void refusesOtherCharacters(String expression) {
        assertThat(RegexCharacters.areBytes(expression)).isFalse();
    }
}
