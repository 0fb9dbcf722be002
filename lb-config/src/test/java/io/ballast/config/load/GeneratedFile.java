package io.ballast.config.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A committed file that the build generates; {@code -Dballast.update=true} rewrites it. */
public record GeneratedFile(Path path) {

    private static final boolean UPDATE = Boolean.getBoolean("ballast.update");

    public static GeneratedFile of(Path path) {
        return new GeneratedFile(path);
    }

    /** Fails unless the file contains this text; in update mode, writes the text to the file first. */
    public void assertIs(String text) throws IOException {
        if (UPDATE) {
            Files.createDirectories(path.getParent());
            Files.writeString(path, text);
        }
        assertThat(path)
                .as("write it by: ./mvnw -pl lb-server -am test -Dballast.update=true")
                .exists();
        assertThat(Files.readString(path)).isEqualTo(text);
    }
}
