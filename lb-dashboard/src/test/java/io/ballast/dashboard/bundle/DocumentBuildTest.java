package io.ballast.dashboard.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentBuildTest {

    @TempDir
    private Path directory;

    private Path source;
    private Path target;

    @BeforeEach
    void writeDocuments() throws IOException {
        source = directory.resolve("docs");
        target = directory.resolve("target");
        write("docs/index.md", "# Index\n");
        write("docs/guides/start.md", "# Start\n");
        write("docs/guides/examples/deep.md", "# Deep\n");
        write("docs/picture.png", "");
        write("README.md", "# Readme\n");
    }

    @Test
    void copiesDocumentsOfSubdirectories() throws IOException {
        build();

        assertThat(target.resolve("index.md")).hasContent("# Index");
        assertThat(target.resolve("guides/start.md")).hasContent("# Start");
        assertThat(target.resolve("guides/examples")).doesNotExist();
        assertThat(target.resolve("picture.png")).doesNotExist();
    }

    @Test
    void keepsLinksToCopiedDocumentsAndOtherSites() throws IOException {
        String text = "[a](../index.md), [b](start.md#one), [c](#two), [d](https://example.com/x.md)\n";
        write("docs/guides/links.md", text);

        build();

        assertThat(target.resolve("guides/links.md")).hasContent(text);
    }

    @Test
    void otherLinksBecomeText() throws IOException {
        write("docs/links.md", """
                [a
                report](../README.md#top), [`b`](guides/examples/deep.md), [c](none.md), [d](guides), ![e](picture.png)
                """);

        build();

        assertThat(target.resolve("links.md")).hasContent("a\nreport, `b`, c, d, e");
    }

    @Test
    void removesDocumentsOfEarlierBuilds() throws IOException {
        build();
        Files.delete(source.resolve("guides/start.md"));

        build();

        assertThat(target.resolve("guides/start.md")).doesNotExist();
        assertThat(target.resolve("index.md")).exists();
    }

    private void build() throws IOException {
        new DocumentBuild(source, target).run();
    }

    private void write(String name, String content) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }
}
