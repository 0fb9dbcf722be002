package io.ballast.dashboard.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ModuleOrderTest {

    @Test
    void aModuleComesAfterItsImportsAndTheEntryLast() {
        assertThat(order(Map.of(
                        "app.js", "import { b } from './b.js';",
                        "b.js", "import { z } from './z.js';\nexport const b = z;",
                        "panel.js", "",
                        "z.js", "export const z = 1;")))
                .containsExactly("z.js", "b.js", "panel.js", "app.js");
    }

    @Test
    void aCircularImportIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> order(Map.of(
                        "app.js", "",
                        "a.js", "import { b } from './b.js';\nexport const a = 1;",
                        "b.js", "import { a } from './a.js';\nexport const b = 1;")))
                .withMessage("circular import: a.js -> b.js -> a.js");
    }

    @Test
    void anImportFromAMissingFileIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> order(Map.of("app.js", "import { a } from './a.js';")))
                .withMessage("app.js: there is no a.js to import from");
    }

    @Test
    void anImportOfAMissingNameIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> order(Map.of("app.js", "import { a, b } from './a.js';", "a.js", "export class a {}")))
                .withMessage("app.js: a.js does not export b");
    }

    @Test
    void aDirectoryWithoutEntryIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> order(Map.of("a.js", "")))
                .withMessage("the directory has no app.js");
    }

    private static List<String> order(Map<String, String> sources) {
        Map<String, ScriptModule> modules = new TreeMap<>();
        sources.forEach((file, source) -> modules.put(file, ScriptModule.parse(file, source)));
        return new ModuleOrder(modules, "app.js")
                .modules().stream().map(ScriptModule::file).toList();
    }
}
