package io.ballast.core.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTargetTest {

    @TempDir
    private Path directory;

    @Test
    void appendsAndFollowsTheNameWhenTheFileIsRotated() throws IOException {
        Path file = Files.writeString(directory.resolve("access.log"), "before\n");
        Path rotated = directory.resolve("access.log.1");
        FileTarget target = FileTarget.open(file);
        write(target, "one\n");
        target.refresh();
        write(target, "two\n");

        Files.move(file, rotated);
        write(target, "three\n");
        target.refresh();
        write(target, "four\n");
        target.close();

        assertThat(rotated).hasContent("before\none\ntwo\nthree\n");
        assertThat(file).hasContent("four\n");
    }

    @Test
    void followsAFileThatTookItsPlace() throws IOException {
        Path file = directory.resolve("access.log");
        FileTarget target = FileTarget.open(file);
        Path other = Files.writeString(directory.resolve("other"), "");
        Files.move(file, directory.resolve("access.log.1"));
        Files.move(other, file);
        target.refresh();
        write(target, "here\n");
        target.close();

        assertThat(file).hasContent("here\n");
    }

    @Test
    void tryingAgainHelpsOnceItCanBeOpened() throws IOException {
        Path below = Files.createDirectory(directory.resolve("logs"));
        Path file = below.resolve("access.log");
        FileTarget target = FileTarget.open(file);
        Files.delete(file);
        Files.delete(below);
        assertThatThrownBy(target::refresh).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> write(target, "lost\n")).isInstanceOf(NoSuchFileException.class);

        Files.createDirectory(below);
        write(target, "found\n");
        target.close();

        assertThat(file).hasContent("found\n");
    }

    private static void write(LogTarget target, String text) throws IOException {
        byte[] octets = text.getBytes(StandardCharsets.UTF_8);
        target.write(octets, octets.length);
    }
}
