package io.ballast.http.log;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * The end of a file. When another file stands under the name, or none, because the log was rotated, lines go on there: no
 * signal is needed. A file that is truncated in place ({@code copytruncate}) is appended to as well.
 */
final class FileTarget implements LogTarget {

    private final Path path;
    private @Nullable OutputStream stream;
    private @Nullable Object identity;

    private FileTarget(Path path) {
        this.path = path;
    }

    /** Opens the file, and creates it if need be; its directory must be there. */
    static FileTarget open(Path path) throws IOException {
        FileTarget target = new FileTarget(path);
        target.reopen();
        return target;
    }

    private OutputStream reopen() throws IOException {
        close();
        OutputStream opened = Files.newOutputStream(
                path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
        stream = opened;
        identity = identityOf(path);
        return opened;
    }

    private static @Nullable Object identityOf(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }

    @Override
    public void write(byte[] bytes, int length) throws IOException {
        OutputStream open = stream;
        (open == null ? reopen() : open).write(bytes, 0, length);
    }

    @Override
    public void refresh() throws IOException {
        if (hasMoved()) {
            reopen();
        }
    }

    private boolean hasMoved() throws IOException {
        try {
            Object present = identityOf(path);
            return present != null && !present.equals(identity);
        } catch (NoSuchFileException e) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        OutputStream open = stream;
        stream = null;
        if (open != null) {
            open.close();
        }
    }
}
