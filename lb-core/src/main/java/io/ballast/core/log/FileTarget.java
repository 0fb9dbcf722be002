package io.ballast.core.log;

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
 *
 * <p>Thread safety: confined to the thread that writes.
 */
public final class FileTarget implements LogTarget {

    private final Path path;
    private final byte[] head;
    private final byte[] tail;
    private @Nullable OutputStream stream;
    private @Nullable Object identity;

    private FileTarget(Path path, byte[] head, byte[] tail) {
        this.path = path;
        this.head = head;
        this.tail = tail;
    }

    /** Opens the file, and creates it if need be; its directory must be there. */
    public static FileTarget open(Path path) throws IOException {
        return open(path, new byte[0], new byte[0]);
    }

    /**
     * Likewise.
     *
     * @param head what a file begins with
     * @param tail what a file ends with, when it is not written to any more
     */
    static FileTarget open(Path path, byte[] head, byte[] tail) throws IOException {
        FileTarget target = new FileTarget(path, head, tail);
        target.reopen();
        return target;
    }

    private OutputStream reopen() throws IOException {
        close();
        OutputStream opened = Files.newOutputStream(
                path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
        stream = opened;
        identity = identityOf(path);
        if (head.length > 0 && Files.size(path) == 0) {
            opened.write(head);
        }
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
            try (open) {
                open.write(tail);
            }
        }
    }
}
