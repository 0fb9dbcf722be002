package io.ballast.http.h2.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PriorityTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|u=3",
                "u=0|u=0",
                "u=7, i|u=7, i",
                "i|u=3, i",
                "i=?1,u=2|u=2, i",
                "i,i=?0|u=3",
                "u=1, u=5|u=5",
                "u=007|u=7",
                "'  u=2	,	i  '|u=2, i",
                "u=4;x=1, i;y|u=4, i",
                "u=4;x=\"a,b\\\"c\", i|u=4, i",
                "a=(1 2), u=1|NONE",
                "a=1.5, *b=:YQ==:, u=1|u=1",
                "u=8|u=3",
                "u=-1|u=3",
                "u=1.0|u=3",
                "u=99999999999999999999|u=3",
                "u=x, i=1, i=?2, i=?10|u=3",
                "u|u=3",
                "u=|u=3",
                "uu=1, ii|u=3"
            })
    void parsesValidPriority(String field, String meaning) {
        int read = parse(field);
        String text = read == Priority.NONE ? "NONE" : new String(Priority.text(read), StandardCharsets.US_ASCII);
        assertThat(text).isEqualTo(meaning);
    }

    @ParameterizedTest
    @ValueSource(strings = {"U=1", "u=1,", "u=1,,i", ",", "u=1 i", "1", "u=\"", "=1", "u=1, ?"})
    void ignoresInvalidDictionary(String field) {
        assertThat(parse(field)).isEqualTo(Priority.NONE);
    }

    private static int parse(String field) {
        byte[] bytes = ("<" + field + ">").getBytes(StandardCharsets.ISO_8859_1);
        return Priority.parse(bytes, 1, bytes.length - 1, Priority.DEFAULT);
    }
}
