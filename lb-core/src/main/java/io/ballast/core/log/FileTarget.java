package io.ballast.core.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Appends to a file. If a log rotation has renamed or removed the file, lines are written to a new file with
 * the configured name; no signal is needed. Truncation in place ({@code copytruncate}) is also supported. A
 * partial write on a full disk is undone, so that later lines stay readable.
 *
 * <p>Thread safety: confined to the writing thread.
 */
public final class FileTarget implements LogTarget {

    private final Path path;
    private final byte[] head;
    private final byte[] tail;
    private final Opener opener;
    private @Nullable SeekableByteChannel channel;
    private @Nullable Object identity;

    /** Opens a file for appending. */
    @FunctionalInterface
    interface Opener {
        SeekableByteChannel open(Path path) throws IOException;
    }

    private FileTarget(Path path, byte[] head, byte[] tail, Opener opener) {
        this.path = path;
        this.head = head;
        this.tail = tail;
        this.opener = opener;
    }

    /**
     * Opens the file. If it does not exist, it is created with mode 0640, because logs contain client requests.
     * Its directory must exist.
     */
    public static FileTarget open(Path path) throws IOException {
        return open(path, new byte[0], new byte[0]);
    }

    /**
     * Opens the file like {@link #open(Path)}, and adds a head and a tail to each file.
     *
     * @param head first bytes of a file
     * @param tail last bytes of a file, written when it is closed
     */
    static FileTarget open(Path path, byte[] head, byte[] tail) throws IOException {
        return open(
                path,
                head,
                tail,
                file -> Files.newByteChannel(
                        file,
                        Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----"))));
    }

    /** Opens the file with a given opener, for tests. */
    static FileTarget open(Path path, byte[] head, byte[] tail, Opener opener) throws IOException {
        FileTarget target = new FileTarget(path, head, tail, opener);
        target.reopen();
        return target;
    }

    private SeekableByteChannel reopen() throws IOException {
        close();
        SeekableByteChannel opened = opener.open(path);
        try {
            identity = identityOf(path);
            if (head.length > 0 && opened.size() == 0) {
                append(opened, head, head.length);
            }
        } catch (IOException e) {
            opened.close();
            throw e;
        }
        channel = opened;
        return opened;
    }

    /** Writes all bytes. If that fails, the write is undone, unless another process has appended to the file. */
    private static void append(SeekableByteChannel to, byte[] bytes, int length) throws IOException {
        long before = to.size();
        ByteBuffer rest = ByteBuffer.wrap(bytes, 0, length);
        try {
            while (rest.hasRemaining()) {
                to.write(rest);
            }
        } catch (IOException e) {
            undoWrite(to, before, rest.position(), e);
            throw e;
        }
    }

    private static void undoWrite(SeekableByteChannel to, long before, int written, IOException cause) {
        try {
            if (written > 0 && to.size() == before + written) {
                to.truncate(before);
            }
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    private static @Nullable Object identityOf(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }

    @Override
    public void write(byte[] bytes, int length) throws IOException {
        SeekableByteChannel open = channel;
        append(open == null ? reopen() : open, bytes, length);
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
        SeekableByteChannel open = channel;
        channel = null;
        if (open != null) {
            try (open) {
                append(open, tail, tail.length);
            }
        }
    }
}
