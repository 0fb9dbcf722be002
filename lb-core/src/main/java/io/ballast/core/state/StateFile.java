package io.ballast.core.state;

import io.ballast.core.ErrorText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * A file that preserves state across restarts. It is replaced atomically, so that it is always complete, and
 * only its owner can access it. If the temporary file cannot be moved into place, it is deleted.
 *
 * <p>Thread safety: one thread at a time.
 */
public final class StateFile {

    /**
     * Age at which a temporary file counts as abandoned. Writing takes milliseconds, or seconds on a slow disk.
     */
    private static final Duration ABANDONED_AFTER = Duration.ofMinutes(1);

    private final Path file;
    private final int maxBytes;

    /** Moves or links the temporary file, which has been written completely, to its final name. */
    @FunctionalInterface
    private interface Placing {
        void place(Path written) throws IOException;
    }

    /** @param maxBytes the maximum size; a larger file is neither read nor written */
    public StateFile(Path file, int maxBytes) {
        this.file = file;
        this.maxBytes = maxBytes;
    }

    public Path path() {
        return file;
    }

    /** Returns the content; empty if there is no file. */
    public Optional<byte[]> read() throws IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            byte[] bytes = in.readNBytes(maxBytes + 1);
            requireFits(bytes);
            return Optional.of(bytes);
        }
    }

    private void requireFits(byte[] bytes) throws IOException {
        if (bytes.length > maxBytes) {
            throw new IOException("larger than " + maxBytes + " bytes");
        }
    }

    /**
     * Copies an unusable file, because the next write would overwrite it. Returns a message with the name of the copy,
     * or with the reason why the file could not be copied.
     */
    public String moveAside() {
        Path bad = file.resolveSibling(file.getFileName() + ".bad");
        try {
            Files.copy(file, bad, StandardCopyOption.REPLACE_EXISTING);
            return "a copy of the file is kept as " + bad.getFileName();
        } catch (IOException e) {
            return "cannot keep a copy of the file: " + ErrorText.of(e);
        }
    }

    /** Writes the file, and creates its directory if it is missing. */
    public void replace(byte[] bytes) throws IOException {
        write(
                bytes,
                written ->
                        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING));
    }

    /** Writes the content unless another process has already created the file. */
    public void create(byte[] bytes) throws IOException {
        write(bytes, written -> {
            try {
                Files.createLink(file, written);
            } catch (FileAlreadyExistsException e) {
                return; // the file of the other process is kept
            } catch (FileSystemException | UnsupportedOperationException e) {
                // The file system has no hard links. If two processes write at the same time,
                // the file that is moved last remains.
                Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
            }
        });
    }

    private void write(byte[] bytes, Placing placing) throws IOException {
        requireFits(bytes);
        Path directory = file.toAbsolutePath().getParent();
        if (directory != null && !Files.isDirectory(directory)) {
            Files.createDirectories(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        Path next = file.resolveSibling(
                file.getFileName() + "." + ProcessHandle.current().pid());
        deleteAbandoned();
        Files.deleteIfExists(next); // a previous process may have had the same process ID
        try {
            writeTo(next, bytes);
            placing.place(next);
        } catch (IOException | RuntimeException | Error e) {
            delete(next, e);
            throw e;
        }
        Files.deleteIfExists(next);
    }

    /** Deletes temporary files of processes that were killed while writing. */
    private void deleteAbandoned() throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null) {
            return;
        }
        Instant longAgo = Instant.now().minus(ABANDONED_AFTER);
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory, this::isUnfinished)) {
            for (Path each : all) {
                if (Files.getLastModifiedTime(each, LinkOption.NOFOLLOW_LINKS)
                        .toInstant()
                        .isBefore(longAgo)) {
                    Files.deleteIfExists(each);
                }
            }
        } catch (NoSuchFileException e) {
            return; // another process has deleted or renamed a temporary file
        }
    }

    /** Returns whether the file is a temporary file that some process created for this state file. */
    private boolean isUnfinished(Path each) {
        String prefix = file.getFileName() + ".";
        String name = each.getFileName().toString();
        return name.startsWith(prefix) && name.substring(prefix.length()).matches("[0-9]+");
    }

    private static void writeTo(Path next, byte[] bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(
                next,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            ByteBuffer left = ByteBuffer.wrap(bytes);
            while (left.hasRemaining()) {
                channel.write(left);
            }
            channel.force(/* metaData= */ true);
        }
    }

    private static void delete(Path next, Throwable cause) {
        try {
            Files.deleteIfExists(next);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }
}
