package io.ballast.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class RegularFileTest {

    @TempDir
    Path directory;

    @Test
    void regularFileIsRead() throws Exception {
        Path file = Files.writeString(directory.resolve("a"), "text");

        try (InputStream in = RegularFile.open(file)) {
            assertThat(in.readAllBytes()).asString().isEqualTo("text");
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void pipeIsRefusedWithoutWaitingForItsWriter() throws Exception {
        Path pipe = directory.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();

        assertThatThrownBy(() -> RegularFile.open(pipe))
                .isInstanceOf(IOException.class)
                .extracting(ErrorText::of)
                .isEqualTo(pipe + ": it is not a regular file");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void deviceIsRefused() {
        assertThatThrownBy(() -> RegularFile.open(Path.of("/dev/zero")))
                .isInstanceOf(IOException.class)
                .extracting(ErrorText::reason)
                .isEqualTo("it is not a regular file");
    }

    @Test
    void directoryAndMissingFileAreRefused() {
        assertThatThrownBy(() -> RegularFile.open(directory))
                .extracting(ErrorText::reason)
                .isEqualTo("it is a directory");
        assertThatThrownBy(() -> RegularFile.open(directory.resolve("none"))).isInstanceOf(NoSuchFileException.class);
    }
}
