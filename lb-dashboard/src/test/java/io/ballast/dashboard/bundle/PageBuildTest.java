package io.ballast.dashboard.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageBuildTest {

    @TempDir
    private Path directory;

    private Path source;
    private Path target;

    @BeforeEach
    void writePage() throws IOException {
        source = Files.createDirectories(directory.resolve("source"));
        target = directory.resolve("target");
        Files.createDirectory(source.resolve("app"));
        write("index.html", "<link href=\"assets/app.css\"><script src=\"assets/app.js\"></script>\n");
        write("icon.svg", "<svg/>\n");
        write("app/app.js", "import { one } from './one.js';\nshow(one, 'assets/icon.svg');\n");
        write("app/one.js", "export const one = 1;\n");
        write("app/app.css", "p { margin: 0 }\n");
    }

    @Test
    void aPageRefersToHashedNames() throws IOException {
        build();

        assertThat(page())
                .matches("(?s)<link href=\"assets/app\\.[0-9a-f]{16}\\.css\">"
                        + "<script src=\"assets/app\\.[0-9a-f]{16}\\.js\"></script>\n");
        assertThat(assets())
                .allSatisfy(name -> assertThat(name).matches("(app|icon)\\.[0-9a-f]{16}\\.(js|css|svg)(\\.map)?"));
        assertThat(assets()).hasSize(5);
        assertThat(asset("app", ".js")).contains("show(one, 'assets/icon.").doesNotContain("icon.svg");
    }

    @Test
    void aNewFileIsInTheBundleWithoutAnImport() throws IOException {
        write("app/panel.js", "addPanel();\n");
        write("app/panel.css", ".panel { margin: 1px }\n");

        build();

        assertThat(asset("app", ".js")).contains("addPanel();");
        assertThat(asset("app", ".css")).contains(".panel {");
    }

    @Test
    void theSameSourcesProduceTheSameFiles() throws IOException {
        build();
        List<String> first = assets();

        build();

        assertThat(assets()).isEqualTo(first);
    }

    @Test
    void aChangeProducesANewNameAndRemovesTheOldFile() throws IOException {
        build();
        String before = page();

        write("app/one.js", "export const one = 2;\n");
        build();

        assertThat(page()).isNotEqualTo(before);
        assertThat(assets()).hasSize(5);
    }

    @Test
    void libraryStylesComeFirstAndBaseStylesSecond() throws IOException {
        write("app/vendor.css", ".library {}\n");
        write("app/alerts.css", ".alerts {}\n");

        build();

        assertThat(asset("app", ".css")).startsWith(".library {}\np { margin: 0 }\n.alerts {}\n/*# sourceMappingURL=");
    }

    @Test
    void anUnknownAssetIsRejected() throws IOException {
        write("index.html", "<script src=\"assets/other.js\"></script>\n");

        assertThatIllegalArgumentException()
                .isThrownBy(this::build)
                .withMessage("index.html: there is no assets/other.js");
    }

    @Test
    void aFileWithTheNameOfABundleIsRejected() throws IOException {
        write("app.js", "");

        assertThatIllegalArgumentException().isThrownBy(this::build).withMessageContaining("app.js: ");
    }

    private void build() throws IOException {
        new PageBuild(source, target).run();
    }

    private void write(String name, String content) throws IOException {
        Files.writeString(source.resolve(name), content);
    }

    private String page() throws IOException {
        return Files.readString(target.resolve("index.html"));
    }

    private List<String> assets() throws IOException {
        try (Stream<Path> files = Files.list(target.resolve("assets"))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private String asset(String prefix, String suffix) throws IOException {
        String name = assets().stream()
                .filter(each -> each.startsWith(prefix) && each.endsWith(suffix))
                .findFirst()
                .orElseThrow();
        return Files.readString(target.resolve("assets").resolve(name));
    }
}
