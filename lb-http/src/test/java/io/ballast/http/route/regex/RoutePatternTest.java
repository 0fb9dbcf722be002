package io.ballast.http.route.regex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoutePatternTest {

    @ParameterizedTest
    @CsvSource({
        "/a.*, /abc, true",
        "a, /a, false",
        "/a, /ab, false",
        "^/a$, /a, true",
        "(?i)/A, /a, true",
        "'', '', true",
    })
    void theWholeValueMustMatch(String regex, String value, boolean expected) {
        assertThat(matches(regex, value)).isEqualTo(expected);
    }

    @Test
    void dotMatchesEveryByte() {
        for (int b = 0; b < 256; b++) {
            assertThat(matches("/a.b", "/a" + (char) b + "b")).isTrue();
        }
    }

    /** A backtracking engine would practically never finish. */
    @Test
    void nestedRepetitionsTakeLinearTime() {
        assertThat(matches("(a+)+(a+)+(a|aa)*b", "a".repeat(8192))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "a)", "[a", "a**", "(?<x", "\\", "(a)\\1", "(?=a)", "a{2,1}", "[[:nope:]]"})
    void rejectsUnsupportedSyntax(String regex) {
        assertThatThrownBy(() -> RoutePattern.compile(regex))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("regex: " + regex + " (expected: a regular expression in RE2 syntax; ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "((a{100}){100}){100}",
                "a{1000}b{1000}",
                "[a-z]{251}",
                "(((a{999}){999}){999}){999}",
                "([a-z]{1,500}|\\d{500,})+",
                "(a(b(c{20}){20}){20}"
            })
    void rejectsLargeRepetitions(String regex) {
        assertThatThrownBy(() -> RoutePattern.compile(regex))
                .hasMessageContaining("instructions; use fewer repetitions");
    }

    /** RE2/J 1.8 does not terminate when it compiles these expressions. */
    @ParameterizedTest
    @ValueSource(strings = {"(?i)\u1c80", "(?i)[a-\u2000]", "(?i)[a-\\x{1c88}]"})
    void rejectsCharactersBeyondLatin1(String regex) {
        assertThatThrownBy(() -> RoutePattern.compile(regex)).hasMessageContaining("characters up to U+00FF");
    }

    @Test
    void rejectsLongExpressions() {
        assertThatThrownBy(() -> RoutePattern.compile("a".repeat(1025)))
                .hasMessageContaining("at most 1024 characters");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(/.*)?",
                "[]{100}]{2}",
                "a{,5}",
                "[^]a]*",
                "\\{1000}\\{1000}",
                "a{x}"
            })
    void acceptsCommonExpressions(String regex) {
        assertThat(RoutePattern.compile(regex)).isNotNull();
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v[0-9]+, /api",
        "^/api/v[0-9]+, /api",
        "/api/v1/, /api/v1",
        "/api/v1, /api",
        "/api/?, ''",
        "/api/?x, ''",
        "/api/x*, /api",
        "'/api/x{0}', /api",
        "/api/(a|b), /api",
        "/api/a|/b, ''",
        "/api/[(]a|/b, ''",
        "/api/\\(a|/b, ''",
        "/api/\\Q(\\E|/b, ''",
        "/api/[|]x, /api",
        "(/api)/x, ''",
        "(?i)/api/x, ''",
        ".*, ''",
        "api/x, ''",
        "/a%20b/x, ''",
        "/, ''",
        "'', ''",
    })
    void expressionIsIndexedByItsFixedSegments(String regex, String directory) {
        assertThat(RegexStart.directory(regex)).isEqualTo(directory);
    }

    private boolean matches(String regex, String value) {
        byte[] bytes = ("<" + value + ">").getBytes(StandardCharsets.ISO_8859_1);
        return RoutePattern.compile(regex).matches(bytes, 1, bytes.length - 1, new ByteText());
    }
}
