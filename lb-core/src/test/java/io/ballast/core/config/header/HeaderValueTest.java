package io.ballast.core.config.header;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.config.header.HeaderValue.Literal;
import io.ballast.core.config.header.HeaderValue.Variable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderValueTest {

    @Test
    void parsesTextAndVariables() {
        assertThat(HeaderValue.parse("a $host, $request_id.b").parts())
                .containsExactly(
                        new Literal("a "),
                        new Variable(HeaderVariable.HOST),
                        new Literal(", "),
                        new Variable(HeaderVariable.REQUEST_ID),
                        new Literal(".b"));
    }

    @Test
    void dollarWithoutNameIsLiteral() {
        assertThat(HeaderValue.parse("$$host $5 a$").parts()).containsExactly(new Literal("$host $5 a$"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " a", "a ", "a\r\nB: c", "a\nb", "a\tb", "a\u0000", "\u007f", "a\u0085b"})
    void rejectsInvalidHeaderCharacters(String text) {
        assertThatThrownBy(() -> HeaderValue.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("value: " + text.length() + " characters (expected: text without control");
    }

    @Test
    void rejectsUnknownVariable() {
        assertThatThrownBy(() -> HeaderValue.parse("s3cret $hosts"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("variable: $hosts (expected: one of ")
                .hasMessageNotContaining("s3cret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a:", "a\r\n", "\u00e4"})
    void rejectsInvalidVariableName(String name) {
        assertThatThrownBy(() -> new HeaderField(name, HeaderValue.parse("x")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
