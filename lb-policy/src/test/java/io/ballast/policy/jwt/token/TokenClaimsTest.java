package io.ballast.policy.jwt.token;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenClaimsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "\"alice\" | alice",
                "\"Zo\u00eb \u20ac \\ud83d\\ude00\" | Zo%C3%AB %E2%82%AC %F0%9F%98%80",
                "\"a\\r\\nX-Admin: 1\" | a%0D%0AX-Admin: 1",
                "\"a\\u0000b\\u007f\" | a%00b%7F",
                "\" a b \" | %20a b%20",
                "\"100%\" | 100%25",
                "\"\\ud800\" | %ED%A0%80",
                "12345678901234567890 | 12345678901234567890",
                "true | true",
                "[\"a\",\"b,c\",1] | a,b%2Cc,1",
            })
    void claimBecomesPrintableText(String claim, String text) throws Exception {
        assertThat(new TokenClaims(StrictJson.object("{\"c\":" + claim + "}")).text("c"))
                .isEqualTo(text);
    }

    @Test
    void objectsAndMissingClaimsHaveNoText() throws Exception {
        TokenClaims claims = new TokenClaims(StrictJson.object("{\"a\":{\"b\":1},\"c\":null,\"d\":[],\"e\":\"f\"}"));

        assertThat(claims.text("a")).isEmpty();
        assertThat(claims.text("missing")).isEmpty();
        assertThat(claims.texts()).isEqualTo(Map.of("e", "f"));
    }
}
