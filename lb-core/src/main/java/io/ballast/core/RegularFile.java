package io.ballast.core;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Opens files that the configuration names. */
public final class RegularFile {

    private RegularFile() {}

    /**
     * Opens a file for reading. Refuses pipes, sockets and devices: opening a pipe blocks until a program writes to it,
     * so one wrong path would stop all later reloads. Links are followed.
     *
     * @throws IOException if the file cannot be read or is not a regular file
     */
    public static InputStream open(Path file) throws IOException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            String kind = Files.isDirectory(file) ? "it is a directory" : "it is not a regular file";
            throw new FileSystemException(file.toString(), /* other= */ null, kind);
        }
        return Files.newInputStream(file);
    }
}
