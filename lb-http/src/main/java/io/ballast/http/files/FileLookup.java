package io.ballast.http.files;

import io.ballast.net.listen.FileDescriptorReserve;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds and opens files below a root. Symbolic links are followed if they lead to a file below the root; other links
 * are treated as missing files. All methods block. Thread safety: all methods may be called concurrently.
 */
final class FileLookup {

    /** The maximum number of attempts to open a file that another process replaces at the same time. */
    private static final int MAX_ATTEMPTS = 3;

    private final Path root;
    private final ResolvedFiles resolved;

    /** @param root the directory that contains all files; a symbolic link is resolved for each request */
    FileLookup(Path root) {
        this(root, System::nanoTime);
    }

    /** @param nanoTime the monotonic clock */
    FileLookup(Path root, LongSupplier nanoTime) {
        this.root = root;
        this.resolved = new ResolvedFiles(nanoTime);
    }

    /**
     * Returns the path of a file or directory without symbolic links.
     *
     * @param name the name relative to the root, without dot segments
     * @return null if there is no such file, or it is outside of the root
     * @throws AccessDeniedException if the process has no permission to read a directory
     * @throws IOException if the file system fails
     */
    @Nullable Path find(String name) throws IOException {
        try {
            Path realRoot = root.toRealPath();
            Path real = realRoot.resolve(name).toRealPath();
            return real.startsWith(realRoot) ? real : null;
        } catch (InvalidPathException e) {
            return null; // the file system cannot represent the name
        } catch (AccessDeniedException e) {
            throw e;
        } catch (FileSystemException e) {
            if (FileDescriptorReserve.isDescriptorExhaustion(e)) {
                throw e;
            }
            return null; // the file does not exist, a part of its path is not a directory, or the name is too long
        }
    }

    /** Returns whether the path, which {@link #find} returned, is a directory. */
    static boolean isDirectory(Path real) {
        return Files.isDirectory(real, LinkOption.NOFOLLOW_LINKS);
    }

    /** Returns whether the path, which {@link #find} returned, is a regular file. */
    static boolean isFile(Path real) {
        return Files.isRegularFile(real, LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Opens a file without resolving its name, if the name was {@linkplain #remember remembered} within the last second
     * and still belongs to the same file.
     *
     * @param name the name relative to the root, without dot segments
     * @return null if the caller must call {@link #find} again
     */
    @Nullable OpenFile reopen(String name) throws IOException {
        ResolvedFiles.Resolved known = resolved.find(name);
        if (known == null) {
            return null;
        }
        OpenFile file = openIfSame(root.resolve(name), known);
        if (file == null) {
            resolved.remove(name, known);
        }
        return file;
    }

    private static @Nullable OpenFile openIfSame(Path path, ResolvedFiles.Resolved known) throws IOException {
        try {
            BasicFileAttributes current = Files.readAttributes(path, BasicFileAttributes.class);
            boolean isSame = current.isRegularFile() && known.key().equals(current.fileKey());
            return isSame ? open(known.real(), current) : null;
        } catch (FileSystemException e) {
            return null; // the next search for the file determines the cause
        }
    }

    /** Remembers a file that was found and opened. */
    void remember(String name, Path real, OpenFile file) {
        Object key = file.key();
        if (key != null) {
            resolved.add(name, real, key);
        }
    }

    /**
     * Opens a file that {@link #find} returned.
     *
     * @return null if the file was just deleted, or is not a regular file, because opening a named pipe could block
     */
    static @Nullable OpenFile open(Path real) throws IOException {
        try {
            return openRegular(real);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private static @Nullable OpenFile openRegular(Path real) throws IOException {
        for (int attempt = 1; ; attempt++) {
            BasicFileAttributes before = attributes(real);
            if (!before.isRegularFile()) {
                return null;
            }
            OpenFile file = open(real, attempt == MAX_ATTEMPTS ? null : before);
            if (file != null) {
                return file;
            }
        }
    }

    /**
     * Opens a regular file.
     *
     * @param expected the attributes that the file must have; null to accept any
     * @return null if the file now has different attributes
     */
    private static @Nullable OpenFile open(Path real, @Nullable BasicFileAttributes expected) throws IOException {
        FileChannel channel = FileChannel.open(real, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        try {
            BasicFileAttributes current = attributes(real);
            if (expected != null && !isSame(expected, current)) {
                return null;
            }
            OpenFile file = new OpenFile(channel, current.size(), current.lastModifiedTime(), current.fileKey());
            channel = null;
            return file;
        } finally {
            if (channel != null) {
                channel.close();
            }
        }
    }

    private static BasicFileAttributes attributes(Path real) throws IOException {
        return Files.readAttributes(real, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    private static boolean isSame(BasicFileAttributes before, BasicFileAttributes after) {
        return Objects.equals(before.fileKey(), after.fileKey())
                && before.size() == after.size()
                && before.lastModifiedTime().equals(after.lastModifiedTime());
    }
}
