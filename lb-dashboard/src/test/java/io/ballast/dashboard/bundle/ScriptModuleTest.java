package io.ballast.dashboard.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.entry;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptModuleTest {

    @Test
    void importsBecomeVariables() {
        ScriptModule module =
                ScriptModule.parse("a.js", "// A comment.\nimport { b, c as d } from './other.js';\nb(d);\n");

        assertThat(module.imports()).containsExactly(entry("other.js", List.of("b", "c")));
        assertThat(module.lines()).containsExactly("// A comment.", "const { b, c: d } = $other;", "b(d);");
    }

    @Test
    void declarationsLoseTheirExport() {
        ScriptModule module = ScriptModule.parse("a.js", """
                export const A = 1;
                export function b() {
                  return `export`;
                }
                export async function c() {}
                export class D {
                }
                """);

        assertThat(module.exports().keySet()).containsExactly("A", "b", "c", "D");
        assertThat(module.lines())
                .containsExactly(
                        "const A = 1;",
                        "function b() {",
                        "  return `export`;",
                        "}",
                        "async function c() {}",
                        "class D {",
                        "}");
    }

    @Test
    void theExportsOfAMinifiedLibraryAreRead() {
        ScriptModule module = ScriptModule.parse("vendor.js", "/* notice */\nvar x=1,y=2;export{x as html,y};\n");

        assertThat(module.exports()).containsExactly(entry("html", "x"), entry("y", "y"));
        assertThat(module.lines()).containsExactly("/* notice */", "var x=1,y=2;");
    }

    @Test
    void aNameMayHaveSeveralAliases() {
        ScriptModule exporting = ScriptModule.parse("a.js", "const x = 1;\nexport { x, x as one, x as first };\n");
        ScriptModule importing = ScriptModule.parse("b.js", "import { x, x as y } from './a.js';\n");

        assertThat(exporting.exports()).containsExactly(entry("x", "x"), entry("one", "x"), entry("first", "x"));
        assertThat(importing.lines()).containsExactly("const { x, x: y } = $a;");
    }

    @ParameterizedTest
    @ValueSource(strings = {"export { b as a };", "export { b as c, a as c };"})
    void twoExportsOfOneNameAreRejected(String list) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ScriptModule.parse("a.js", "export const a = 1;\nconst b = 2;\n" + list + "\n"))
                .withMessageMatching("a\\.js: exports [ac] twice");
    }

    @Test
    void theBundleContainsAFunctionThatReturnsTheExports() {
        Bundle bundle = new Bundle("app/");

        ScriptModule.parse("a.js", "const x = 1;\nexport { x as one };\n").addTo(bundle);

        assertThat(bundle.text()).isEqualTo("const $a = (() => {\nconst x = 1;\nreturn { one: x };\n})();\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "import './other.js';",
                "import other from './other.js';",
                "import * as other from './other.js';",
                "import { a } from 'library';",
                "import { a } from './other.js'; a();",
                "import('./other.js');",
                "export default 1;",
                "export let a = 1;",
                "export const { a } = b;",
                "export * from './other.js';",
                "export { a } from './other.js';"
            })
    void otherFormsAreRejected(String statement) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ScriptModule.parse("a.js", "// A comment.\n" + statement + "\n"))
                .withMessageStartingWith("a.js:2: " + statement + " (expected: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"two-words.js", "1.js", "a.min.js"})
    void fileNamesThatAreNoVariablesAreRejected(String file) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ScriptModule.parse(file, ""))
                .withMessageStartingWith(file);
    }
}
