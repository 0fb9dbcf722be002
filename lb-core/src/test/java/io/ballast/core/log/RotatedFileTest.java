package io.ballast.core.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RotatedFileTest {

    @TempDir
    private Path directory;

    @Test
    void rotatesFullFileAndDeletesOldest() throws IOException {
        Path file = directory.resolve("queries.log");
        RotatedFile target = RotatedFile.open(file, /* maxBytes= */ 10, /* keep= */ 2);

        for (String entry : new String[] {"one\n", "two\n", "three\n", "four\n", "five\n", "six\n", "seven\n"}) {
            write(target, entry);
        }
        target.close();

        assertThat(file).hasContent("six\nseven\n");
        assertThat(directory.resolve("queries.log.1")).hasContent("four\nfive\n");
        assertThat(directory.resolve("queries.log.2")).hasContent("three\n");
        assertThat(directory.resolve("queries.log.3")).doesNotExist();
    }

    @Test
    void continuesExistingFile() throws IOException {
        Path file = Files.writeString(directory.resolve("queries.log"), "before\n");
        RotatedFile target = RotatedFile.open(file, /* maxBytes= */ 10, /* keep= */ 1);

        write(target, "after\n");
        target.close();

        assertThat(file).hasContent("after\n");
        assertThat(directory.resolve("queries.log.1")).hasContent("before\n");
    }

    @Test
    void keepsNoRotatedFileWhenDisabled() throws IOException {
        Path file = directory.resolve("queries.log");
        RotatedFile target = RotatedFile.open(file, /* maxBytes= */ 10, /* keep= */ 0);

        write(target, "one two\n");
        write(target, "three\n");
        target.close();

        assertThat(file).hasContent("three\n");
        assertThat(directory.toFile().list()).containsExactly("queries.log");
    }

    @Test
    void writesNothingWhileRotationFails() throws IOException {
        Path file = directory.resolve("queries.log");
        Path inTheWay = Files.createDirectories(directory.resolve("queries.log.1/below"));
        RotatedFile target = RotatedFile.open(file, /* maxBytes= */ 10, /* keep= */ 1);
        write(target, "one two\n");

        assertThatThrownBy(() -> write(target, "lost\n")).isInstanceOf(IOException.class);
        Files.delete(inTheWay);
        write(target, "three\n");
        target.close();

        assertThat(file).hasContent("three\n");
        assertThat(directory.resolve("queries.log.1")).hasContent("one two\n");
    }

    private static void write(LogTarget target, String entry) throws IOException {
        byte[] bytes = entry.getBytes(StandardCharsets.US_ASCII);
        target.write(bytes, bytes.length);
    }
}
