package io.ballast.dashboard.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dashboard.testing.JsonTree;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class SourceMapTest {

    private final Bundle bundle = new Bundle("app/");

    /** Each segment contains the differences of column, source, line and column: A is 0, C is 1, D is -1. */
    @Test
    void linesAreMappedToTheLinesOfTheirSources() throws IOException {
        bundle.addLine("const $a = (() => {");
        bundle.addSource("a.js", "one\ntwo\n", List.of("one", "two"));
        bundle.addLine("})();");
        bundle.addSource("b.js", "three\n", List.of("three"));

        JsonTree map = JsonTree.of(bundle.sourceMap());

        assertThat(map.at("version").number()).isEqualTo(3);
        assertThat(map.at("mappings").text()).isEqualTo(";AAAA;AACA;;ACDA;");
        assertThat(map.at("sources").items().stream().map(JsonTree::text)).containsExactly("app/a.js", "app/b.js");
    }

    @Test
    void largeDifferencesHaveSeveralDigits() throws IOException {
        bundle.addSource("a.js", "\n".repeat(18), "\n".repeat(18).lines().toList());
        bundle.addSource("b.js", "\n", List.of(""));

        // -17 is 35 with the sign in the lowest bit: the digits 3 and 1, where the first digit has the continuation
        // bit.
        assertThat(JsonTree.of(bundle.sourceMap()).at("mappings").text()).endsWith("AACA;ACjBA;");
    }

    @Test
    void sourcesKeepTheirContent() throws IOException {
        String content = "a = \"\\n\";\n\tb = '\u00e9';\u0001\n";
        bundle.addSource("a.js", content, content.lines().toList());

        assertThat(JsonTree.of(bundle.sourceMap()).at("sourcesContent").at(0).text())
                .isEqualTo(content);
    }
}
