package io.ballast.config.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class YamlWriterTest {

    @Test
    void writesNestedCollectionsAsBlocks() {
        String text =
                YamlWriter.write(Map.of("a", List.of(Map.of("b", List.of(1, List.of(true))), List.of(), Map.of())));

        assertThat(text).isEqualTo("""
                a:
                  - b:
                      - 1
                      -
                        - true
                  - []
                  - {}
                """);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "web",
                "a.b-c_d",
                "10.0.0.1:8080",
                "localhost:80",
                "1m30s",
                "64KiB",
                "200-399",
                "/health",
                "./data"
            })
    void doesNotQuotePlainWords(String text) {
        assertThat(YamlWriter.write(Map.of("a", text))).isEqualTo("a: " + text + "\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "no",
                "True",
                "null",
                "~",
                "1e3",
                "0x1F",
                "010",
                ".5",
                ".inf",
                "10:30",
                "a: b",
                "a:",
                "a #b",
                "#",
                "- a",
                "[",
                "{",
                "*a",
                "&a",
                "!a",
                "|",
                ">",
                "%",
                "@",
                "`",
                "'",
                "\"",
                "\\",
                "a\nb",
                "a\tb",
                "\u0007",
                "\u2028",
                "\u00fc",
                "\ud83d\ude00",
                "$",
                "$$",
                "${A}",
                "---",
                "2026-01-01",
                "<<",
                "=",
                "?",
                ",",
                "\ufeff"
            })
    void writtenTextIsReadBack(String text) {
        Problems problems = new Problems();
        String written = YamlWriter.write(Map.of("a", text));

        Node root = new YamlReader("test.yaml", new Variables(Map.<String, String>of()::get), problems)
                .read(written)
                .orElseThrow();

        assertThat(problems.errors()).isEmpty();
        Node.Scalar scalar =
                (Node.Scalar) ((Node.Mapping) root).entry("a").orElseThrow().value();
        assertThat(scalar.text()).isEqualTo(text);
        assertThat(scalar.isNull()).isFalse();
    }
}
